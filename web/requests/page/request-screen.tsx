/** One request: the document on the left, the actions and the route beside it, everything else below. */
import { lazy, useState, type ReactNode } from 'react'
import { Button, SegmentedControl } from '@mantine/core'
import { unbroken } from '@kelisim/domain/numbers.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { CommentsCard, CommentsSheet, isShown, useCommentsTitle } from '../../comments/comments-card.tsx'
import { useComments } from '../../comments/use-comments.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate, formatMoment } from '../../ui/format/dates.ts'
import { CheckIcon, CopyIcon, RefreshIcon } from '../../ui/look/icons.tsx'
import { Card, WindowTitle } from '../../ui/page/page.tsx'
import { RowAction } from '../../ui/list/row-action.tsx'
import { toast } from '../../ui/dialogs/toast.tsx'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { MountOnOpen } from '../../ui/dialogs/mount-on-open.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { AccessCodeCard } from '../shared/access-code.tsx'
import { ActCard } from './act-card.tsx'
import { ActDialog, isPlain } from './act-dialogs.tsx'
import { CorrectedNotice } from '../correcting/corrected-notice.tsx'
import { useCopyLink } from './copy-link.ts'
import { RequestFiles } from '../files/request-files.tsx'
import { ShownDocument } from '../files/shown-document.tsx'
import { RequestHistory } from './request-history.tsx'
import { RequestEmails } from './request-emails.tsx'
import classes from '../shared/request-page.module.css'
import { RegistrationCard } from './registration-card.tsx'
import { RequestTags } from './request-tags.tsx'
import { insteadKey, OtherRequestLink } from '../shared/other-request.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import {
  awaitedOf,
  isOver,
  maySendCopy,
  type RequestAction,
  type RequestView,
} from '../shared/request-view.ts'
import { SealCard } from './seal-card.tsx'
import { PackageActDialog } from '../packages/package-act-dialog.tsx'
import { PackageCard } from '../packages/package-card.tsx'
import { answerOf, type PackageAnswer } from '../packages/package-answer.ts'
import { Stepper } from './stepper.tsx'
import { useOpening } from './use-opening.ts'
import type { RequestKey } from '../shared/queries.ts'
import type { Mark } from '../shared/use-request.ts'

const SigningDialog = lazy(() =>
  import('../signing/signing-dialog.tsx').then((m) => ({ default: m.SigningDialog })),
)

type ScreenProps = {
  request: RequestView
  requestKey: RequestKey
  mark: Mark | null
  onKept: (request: RequestView) => void
  onRefresh: () => Promise<unknown>
  /** Called when a dialog of the person is opened or closed. */
  onActing: (isActing: boolean) => void
  /** The breadcrumbs, or who is signed in. */
  top?: ReactNode
}

export function RequestScreen(props: ScreenProps) {
  const { request, requestKey, onActing } = props
  const { t } = useTexts('requests')
  useOpening(request, requestKey)
  const acting = useDialog<{ action: RequestAction; opened: RequestView }>()
  const answering = useDialog<PackageAnswer>()
  const [part, setPart] = useState<'deal' | 'document'>('deal')
  const [isSheetOpen, setSheetOpen] = useState(false)
  // Where only the document is shown, comments open in a sheet; on a wide screen they are always beside the document.
  const comments = useComments(request, requestKey, () => setSheetOpen(part === 'document'))
  const commentsTitle = useCommentsTitle(comments)
  const answer = (given: PackageAnswer) => {
    onActing(true)
    answering.open(given)
  }
  const begin = (action: RequestAction) => {
    const all = request.package?.isTogether ? answerOf(request, action) : null
    if (all && all.requests.length > 1) return answer(all)
    onActing(true)
    return acting.open({ action, opened: request })
  }
  const end = () => {
    onActing(false)
    acting.close()
    answering.close()
  }
  const { action, opened } = acting.subject ?? {}
  return (
    <section className={classes.screen}>
      <WindowTitle title={request.name} />
      {props.top}
      <Head {...props} />
      <SegmentedControl
        className={classes.parts ?? ''}
        fullWidth
        size="md"
        aria-label={t('page.parts')}
        data={[
          { value: 'deal', label: t('page.deal') },
          { value: 'document', label: t('page.document') },
        ]}
        value={part}
        onChange={(chosen) => setPart(chosen === 'document' ? 'document' : 'deal')}
      />
      <div className={classes.grid} data-part={part}>
        <div className={classes.document}>
          <ShownDocument request={request} requestKey={requestKey} places={comments.places} />
          {isShown(comments) && (
            <Button
              variant="default"
              fullWidth
              className={classes.openComments ?? ''}
              onClick={() => setSheetOpen(true)}
            >
              {commentsTitle}
            </Button>
          )}
        </div>
        <div className={classes.side}>
          {isCompleted(request) ? (
            <SealCard request={request} requestKey={requestKey} onAct={begin} />
          ) : (
            <ActCard request={request} requestKey={requestKey} onAct={begin} onKept={props.onKept} />
          )}
          <PackageCard request={request} requestKey={requestKey} onAnswer={answer} />
          <CommentsCard request={request} requestKey={requestKey} comments={comments} />
          <Routes {...props} />
        </div>
        <div className={classes.below}>
          <RequestFiles request={request} requestKey={requestKey} />
          <RegistrationCard request={request} requestKey={requestKey} onKept={props.onKept} />
          {request.route && <RequestTags request={request} requestKey={requestKey} onKept={props.onKept} />}
          {request.route && (
            <AccessCodeCard request={request} requestKey={requestKey} onKept={props.onKept} />
          )}
          {request.canEdit && <RequestEmails requestKey={requestKey} version={request.currentVersion} />}
          <RequestHistory requestKey={requestKey} version={request.currentVersion} />
        </div>
      </div>
      <CommentsSheet
        request={request}
        requestKey={requestKey}
        comments={comments}
        isOpen={isSheetOpen}
        onClose={() => setSheetOpen(false)}
      />
      {action && opened && isPlain(action) && (
        <ActDialog
          isOpen={acting.isOpen}
          deed={action}
          opened={opened}
          request={request}
          requestKey={requestKey}
          onKept={props.onKept}
          onStale={props.onRefresh}
          onClose={end}
        />
      )}
      <MountOnOpen isOpen={acting.isOpen && action?.act === 'sign'}>
        <SigningDialog
          isOpen={acting.isOpen && action?.act === 'sign'}
          organizationId={requestKey.organizationId}
          requestIds={[request.id]}
          seenRevision={opened?.revision ?? request.revision}
          onChanged={() => void props.onRefresh()}
          onClose={end}
        />
      </MountOnOpen>
      <MountOnOpen isOpen={answering.isOpen && answering.subject?.act === 'sign'}>
        <SigningDialog
          isOpen={answering.isOpen && answering.subject?.act === 'sign'}
          organizationId={requestKey.organizationId}
          requestIds={answering.subject?.requests.map(({ id }) => id) ?? []}
          onChanged={() => void props.onRefresh()}
          onClose={end}
        />
      </MountOnOpen>
      {answering.subject && answering.subject.act !== 'sign' && (
        <PackageActDialog
          isOpen={answering.isOpen}
          answer={{ ...answering.subject, act: answering.subject.act }}
          requestKey={requestKey}
          onDone={(requests) => {
            for (const saved of requests) if (saved.id === request.id) props.onKept(saved)
          }}
          onStale={props.onRefresh}
          onClose={end}
        />
      )}
    </section>
  )
}

/** Everybody has answered, and nothing is asked of anybody. */
function isCompleted(request: RequestView): boolean {
  return requestStatusOf(request.status) === 'Completed'
}

function Head({ request, requestKey, mark, onRefresh }: ScreenProps) {
  const { t } = useTexts('requests')
  const [isBusy, setBusy] = useState(false)
  const { name, description, organization, author, createdAt, signingDate } = request
  const copy = useCopyLink(request.id)
  const refresh = async () => {
    setBusy(true)
    await onRefresh()
    setBusy(false)
    toast(t('page.refreshed'))
  }
  const time = mark && formatMoment(mark.at).slice(-5)
  return (
    <>
      <header className={classes.head}>
        <h1>{name}</h1>
        <RequestStatusMark status={request.status} awaited={awaitedOf(request)} />
        <span className={classes.changed} role="status">
          {time && t('page.changed', { time })}
        </span>
        <span className={classes.tools}>
          {(!isCompleted(request) || maySendCopy(request)) && (
            <RowAction label={t('page.copyLink')} onClick={() => void copy()}>
              <CopyIcon />
            </RowAction>
          )}
          <RowAction label={t('page.refresh')} isBusy={isBusy} onClick={() => void refresh()}>
            <RefreshIcon />
          </RowAction>
        </span>
      </header>
      <p className={classes.from}>
        <RegisteredAs registration={request.registration} />
        {t('page.from', {
          organization: organization.shortName,
          author: author.fullName,
          date: formatMoment(createdAt),
        })}
        {' · '}
        <SenderProof sender={organization} />
        {' · '}
        {t('page.dated', { date: formatDate(signingDate) })}
        {request.expiresOn !== null && !isCompleted(request) && (
          <>
            {' · '}
            {t(request.expiredAt === null ? 'deadline.expires' : 'deadline.expired', {
              date: formatDate(request.expiresOn),
            })}
          </>
        )}
      </p>
      {request.follows && (
        <p className={classes.again}>
          {t(insteadKey(request.follows))}{' '}
          <OtherRequestLink other={request.follows} from={request} requestKey={requestKey} />
        </p>
      )}
      {description && <p className={classes.description}>{description}</p>}
      <CorrectedNotice request={request} requestKey={requestKey} />
    </>
  )
}

/** The number that the sender gave the document. */
function RegisteredAs({ registration }: Pick<RequestView, 'registration'>) {
  const { t } = useTexts('registers')
  if (registration === null) return null
  const { number, registeredOn } = registration
  return (
    <>
      <b>{t('request.of', { number, date: formatDate(registeredOn) })}</b>
      {' · '}
    </>
  )
}

/** The BIN of the sender, and whether the sender had proved it by a digital signature when sending. */
function SenderProof({ sender: { bin, confirmedAt } }: { sender: RequestView['organization'] }) {
  const { t } = useTexts('requests')
  const number = `${t('common:bin')}\u00a0${unbroken(bin)}`
  if (confirmedAt === null) return number
  return (
    <>
      {number}, <CheckIcon size={14} /> {t('page.confirmed', { date: formatDate(confirmedAt) })}
    </>
  )
}

function Routes({ request, requestKey, mark }: ScreenProps) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const { route, termination, points, document, isQuick } = request
  const title = isQuick
    ? t('route.quick')
    : route && route.name !== ''
      ? t('route.named', { name: route.name })
      : t('route.title')
  const shown = { requestKey, isOver: isOver(request) }
  const emailsOf = (process: 'signing' | 'terminating') =>
    request.canEdit ? { process, version: request.currentVersion } : undefined
  return (
    <>
      {termination && (
        <Card
          title={
            termination.attempt > 1
              ? t('route.attempt', { number: termination.attempt })
              : t('route.termination')
          }
        >
          <p className={classes.from}>
            {t('about.terminationBegun', {
              name: actorName(termination.begunBy),
              date: formatMoment(termination.begunAt),
            })}
          </p>
          <blockquote className={classes.comment}>{termination.comment}</blockquote>
          <Stepper
            {...shown}
            changed={mark?.changed.terminating ?? []}
            label={t('route.termination')}
            emails={emailsOf('terminating')}
            points={termination.points}
            fileName={termination.fileName}
          />
        </Card>
      )}
      <Card title={title}>
        <Stepper
          {...shown}
          changed={mark?.changed.signing ?? []}
          label={title}
          emails={emailsOf('signing')}
          points={points}
          judged={request.conditions?.points}
          fileName={document.fileName}
        />
      </Card>
    </>
  )
}
