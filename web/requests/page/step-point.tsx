/** One point of a route: who is asked, who answered and when. Its rules and its signatures unfold by a press. */
import { useId, useState, type ReactNode } from 'react'
import { ActionIcon, Collapse, UnstyledButton } from '@mantine/core'
import { isPersonNumber, unbroken } from '@kelisim/domain/numbers.ts'
import { neededOf } from '@kelisim/domain/points/point.ts'
import { actOf, coarseTypes, isSigningType } from '@kelisim/domain/points/point-types.ts'
import { pointStatusOf, pointStatusWord } from '@kelisim/domain/requests/point-status-word.ts'
import { currentPointStatuses } from '@kelisim/domain/requests/status.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { useConditionText } from '../../routes/conditions/use-condition-text.ts'
import { formatMoment, formatShortMoment } from '../../ui/format/dates.ts'
import { ChevronDownIcon, WarningIcon } from '../../ui/look/icons.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { useDeadlineText } from '../shared/deadline.ts'
import { useKeyFacts } from '../shared/needed-key.tsx'
import {
  kindOfPoint,
  participantName,
  type JudgedPoint,
  type PointView,
  type SignatureOf,
} from '../shared/request-view.ts'
import { PointEmails, type PointOfEmails } from './request-emails.tsx'
import { SignatureDetails } from './signature-details.tsx'
import classes from '../shared/stepper.module.css'
import type { RequestKey } from '../shared/queries.ts'

export type ShownPoints = {
  requestKey: RequestKey
  fileName: string
  /** The request has ended. */
  isOver: boolean
  changed: readonly string[]
  /** The process and version whose e-mails are shown; undefined: the viewer may not see e-mails. */
  emails: { process: PointOfEmails['process']; version: number } | undefined
}

export function StepPoint({
  point,
  judged,
  ...shown
}: ShownPoints & { point: PointView; judged?: JudgedPoint | undefined }) {
  const { t } = useTexts('requests')
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const status = pointStatusOf(point)
  const isWaiting = status !== null && currentPointStatuses.includes(status)
  const isChanged = shown.changed.includes(point.pointId)
  const name = participantName(point)
  return (
    <li
      className={classes.point}
      data-status={status}
      {...(isWaiting && !shown.isOver && { 'data-now': true })}
      {...(isChanged && { 'data-changed': true })}
    >
      <div className={classes.who}>
        <p>
          <b>{name}</b> <span className={classes.what}>{t(`route.acts.${actOf(kindOfPoint(point))}`)}</span>
          {isChanged && <span className={classes.changed}>{t('route.changed')}</span>}
        </p>
        <ActionIcon
          className={classes.more ?? ''}
          variant="subtle"
          color="var(--ink-3)"
          size={28}
          aria-label={t('route.details', { name })}
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDownIcon size={16} />
        </ActionIcon>
      </div>
      <Answers point={point} {...shown} />
      <Failure point={point} />
      <Collapse id={details} expanded={isOpen}>
        {isOpen && <Rules point={point} judged={judged} isOver={shown.isOver} />}
        {isOpen && shown.emails && point.turnCameAt !== null && (
          <PointEmails
            requestKey={shown.requestKey}
            version={shown.emails.version}
            at={{ pointId: point.pointId, process: shown.emails.process }}
            label={t('route.told', { name })}
          />
        )}
      </Collapse>
    </li>
  )
}

/** Who answered and when; before that, since when the point waits. */
function Answers({ point, isOver, requestKey, fileName }: ShownPoints & { point: PointView }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const deadlineText = useDeadlineText()
  const { acts, signatures, turnCameAt, doneAt, dueOn } = point
  const unmentioned = signatures.filter(({ id }) => !acts.some(({ signatureId }) => signatureId === id))
  const word = t(`pointStatus.${pointStatusWord(point, isOver)}`)
  const isWaiting = doneAt === null && turnCameAt !== null && !isOver
  const deadline = isWaiting && dueOn !== null ? deadlineText(dueOn) : null
  return (
    <>
      {acts.map((act, i) => {
        const signature = signatures.find(({ id }) => id === act.signatureId)
        return (
          <div key={i} className={classes.act} data-act={act.act}>
            {signature ? (
              <Signature
                signature={signature}
                form={point.signatureForm}
                requestKey={requestKey}
                fileName={fileName}
              />
            ) : (
              <p>
                <span className="only-heard">{t(`pointStatus.${heardOf[act.act]}`)}: </span>
                {actorName(act)} <time dateTime={act.at}>· {formatShortMoment(act.at)}</time>
              </p>
            )}
            {act.comment && <blockquote>{t('route.said', { comment: act.comment })}</blockquote>}
          </div>
        )
      })}
      {unmentioned.map((signature) => (
        <div key={signature.id} className={classes.act} data-act={signature.state}>
          <Signature
            signature={signature}
            form={point.signatureForm}
            requestKey={requestKey}
            fileName={fileName}
            state={t(`signature.${signature.state}`)}
          />
        </div>
      ))}
      {deadline && (
        <p className={classes.deadline} {...(deadline.isOver && { 'data-over': true })}>
          {deadline.text}
          {deadline.caution && <small> {deadline.caution}</small>}
        </p>
      )}
      {isWaiting && <Opened point={point} />}
      {isWaiting && <Escalated point={point} />}
      {isWaiting ? (
        <p className={classes.status}>
          {t('route.since', { status: word, date: formatShortMoment(turnCameAt) })}
        </p>
      ) : (
        acts.length === 0 && (
          <p className={classes.status}>
            {doneAt === null ? word : t('route.at', { status: word, date: formatShortMoment(doneAt) })}
          </p>
        )
      )}
    </>
  )
}

/** The people who have opened the document and have not answered yet. */
function Opened({ point: { openings, acts } }: { point: PointView }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const silent = openings.filter(({ fullName }) => !acts.some((act) => act.fullName === fullName))
  return silent.map((opening) => (
    <p key={opening.at} className={classes.status}>
      {t('route.opened', { name: actorName(opening), date: formatShortMoment(opening.at) })}
    </p>
  ))
}

/** Who was told that the deadline passed; before that, who will be. */
function Escalated({ point: { escalation } }: { point: PointView }) {
  const { t } = useTexts('requests')
  if (!escalation) return null
  const { name, mayAct, at } = escalation
  if (at === null)
    return (
      <p className={classes.status}>{t(mayAct ? 'route.escalatesActing' : 'route.escalates', { name })}</p>
    )
  const date = formatShortMoment(at)
  return (
    <p className={classes.deadline} data-over>
      {t(mayAct ? 'route.escalatedActing' : 'route.escalated', { name, date })}
    </p>
  )
}

/** The status word of each answer, for screen readers, because the status is otherwise told by colour only. */
const heardOf = {
  signed: 'Signed',
  approved: 'Approved',
  confirmed: 'Confirmed',
  rejected: 'Rejected',
} as const

/** Why the last signature was not accepted. */
function Failure({ point }: { point: PointView }) {
  const { find } = useTexts('requests')
  const { statusDescriptionData: why } = point
  const code = why?.parameters['code']
  const keyFacts = useKeyFacts(why?.parameters)
  const reason = typeof code === 'string' ? find(`signatures:codes.${code}`) : undefined
  if (pointStatusOf(point) !== 'ValidationError' || !reason) return null
  return (
    <p className={classes.why}>
      <WarningIcon size={16} />
      <span>
        {reason} ({String(code)}). {keyFacts}
      </span>
    </p>
  )
}

function howManyNeeded(point: PointView, t: ReturnType<typeof useTexts<'requests'>>['t']): string {
  const people = point.participants.length
  const needed = neededOf(point, people)
  if (needed === people) return t('route.condition')
  return needed === 1 ? t('route.oneEnough') : t('route.quorum', { quorum: needed, people })
}

/** What the point asks for, and of whom. */
function Rules(props: { point: PointView; judged: JudgedPoint | undefined; isOver: boolean }) {
  const { t } = useTexts('requests')
  const conditionText = useConditionText()
  const { point, judged, isOver } = props
  const { bin, organizationName, groupName, participants, pointType, name, doneAt, turnCameAt } = point
  const isOutside = pointType !== coarseTypes.internal
  const kind = kindOfPoint(point)
  const lines: ReactNode[] = [
    name === participantName(point)
      ? t(`points:types.${kind}`)
      : t('route.typeOf', { type: t(`points:types.${kind}`), name }),
    isOutside && bin && `${t('common:binOrIin')} ${unbroken(bin)}`,
    isOutside && groupName && organizationName,
    participants.map(({ fullName }) => fullName).join(', '),
    participants.length > 1 && howManyNeeded(point, t),
    point.isEdsPresentationRequired && actOf(kind) === 'approve' && t('route.eds'),
    point.signatureForm === 'pades' && t('route.inside'),
    point.signatureForm === 'xades' && t('route.inXml'),
    isOutside &&
      doneAt === null &&
      isSigningType(kind) &&
      !isPersonNumber(bin) &&
      t(`route.key.${point.keyHolder}`),
    judged &&
      t(judged.verdict === 'unknown' ? 'route.unjudged' : 'route.needed', {
        what: conditionText(judged.condition),
      }),
    turnCameAt !== null && t('route.came', { date: formatMoment(turnCameAt) }),
    doneAt !== null &&
      t('route.at', {
        status: t(`pointStatus.${pointStatusWord(point, isOver)}`),
        date: formatMoment(doneAt),
      }),
  ].filter((line) => typeof line === 'string' && line !== '')
  return (
    <div className={classes.rules}>
      {lines.map((line, i) => (
        <p key={i}>{line}</p>
      ))}
    </div>
  )
}

/** Who signed, according to the certificate, and when; a press opens the details of the signature. */
function Signature(props: {
  signature: SignatureOf
  form: PointView['signatureForm']
  requestKey: RequestKey
  fileName: string
  /** The state of a signature that does not count, or not yet. */
  state?: string
}) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const [isOpen, setOpen] = useState(false)
  const { signature, state } = props
  const { certificate, by, receivedAt } = signature
  return (
    <>
      <UnstyledButton
        className={classes.opener}
        aria-expanded={isOpen}
        data-state={signature.state}
        onClick={() => setOpen(!isOpen)}
      >
        <span>
          <span className="only-heard">{t('signature.heard')} </span>
          {actorName({ ...by, fullName: shortOwner(certificate?.fullName) || by.fullName })}{' '}
          <time dateTime={receivedAt}>· {formatShortMoment(receivedAt)}</time>
          {state !== undefined && ` · ${state}`}
        </span>
        <ChevronDownIcon size={16} />
      </UnstyledButton>
      <Collapse expanded={isOpen}>
        {isOpen && (
          <SignatureDetails
            signature={signature}
            form={props.form}
            requestKey={props.requestKey}
            fileName={props.fileName}
          />
        )}
      </Collapse>
    </>
  )
}

/** Family name and first name, which come first in certificates; the patronymic is shown with the details. */
function shortOwner(fullName: string | undefined): string {
  return (fullName ?? '').split(' ').slice(0, 2).join(' ')
}
