/** One document of the queue: the document itself, and beside it who asks for what and the answer to it. */
import { useEffect, useRef } from 'react'
import { Button, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.ts'
import { formatDate } from '../../ui/format/dates.ts'
import { CheckIcon } from '../../ui/look/icons.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { ShownDocument } from '../files/shown-document.tsx'
import { awaitedInLine, type Line } from '../lists/list-line.ts'
import { ActDialog, isPlain, type PlainDeed } from '../page/act-dialogs.tsx'
import { NeededKey } from '../shared/needed-key.tsx'
import { RequestStatusMark } from '../shared/request-status.tsx'
import { sortedActions, type RequestView } from '../shared/request-view.ts'
import { useRequest } from '../shared/use-request.ts'
import classes from './queue.module.css'

type ItemProps = {
  line: Line
  state: 'open' | 'marked' | 'done'
  /** "3 of 7". */
  position: string
  onMark: () => void
  onUnmark: () => void
  /** Null at the ends. */
  onPrevious: (() => void) | null
  onNext: (() => void) | null
}

export function QueueItem(props: ItemProps) {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const { line, state, onPrevious, onNext } = props
  const requestKey = { organizationId: organization.Id, signingRequestId: line.id }
  const { request, error, refetch, keep } = useRequest(requestKey)
  const rejecting = useDialog<{ deed: PlainDeed; opened: RequestView }>()
  const rejection = request && sortedActions(request).others.find(({ act }) => act === 'reject')
  return (
    <div className={classes.item}>
      <div className={classes.document}>
        {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {!request && !error && <LoadingLines count={8} />}
        {request && <ShownDocument key={line.id} request={request} requestKey={requestKey} />}
      </div>
      <section className={classes.panel} aria-labelledby="queue-item">
        <nav className={classes.moves} aria-label={t('queue.moves')}>
          <Button
            variant="default"
            disabled={!onPrevious}
            onClick={() => onPrevious?.()}
            aria-keyshortcuts="K"
          >
            {t('queue.previous')}
          </Button>
          <b role="status">{props.position}</b>
          <Button variant="default" disabled={!onNext} onClick={() => onNext?.()} aria-keyshortcuts="J">
            {t('queue.next')}
          </Button>
        </nav>
        <h3 id="queue-item">{line.name}</h3>
        <About line={line} request={request} />
        <Answer {...props} />
        <Group gap={8}>
          {state !== 'done' && rejection && isPlain(rejection) && (
            <Button
              variant="default"
              c="var(--bad)"
              onClick={() => rejecting.open({ deed: rejection, opened: request })}
            >
              {t('queue.reject')}
            </Button>
          )}
          <Button
            variant="subtle"
            renderRoot={(rest) => (
              <Link to="/signingRequests/$route/$id" params={{ route: 'incomings', id: line.id }} {...rest} />
            )}
          >
            {t('queue.page')}
          </Button>
        </Group>
      </section>
      {request && rejecting.subject && (
        <ActDialog
          key={rejecting.subject.opened.id}
          isOpen={rejecting.isOpen}
          {...rejecting.subject}
          request={request}
          requestKey={requestKey}
          onKept={keep}
          onStale={refetch}
          onClose={rejecting.close}
        />
      )}
    </div>
  )
}

/** Who asks for which answer, and which key it needs. */
function About({ line, request }: { line: Line; request: RequestView | undefined }) {
  const { t } = useTexts('requests-lists')
  const main = request && sortedActions(request).main
  return (
    <div className={classes.about}>
      <RequestStatusMark status={line.status} awaited={awaitedInLine(line)} />
      {line.actsInsteadOf && <p>{t('requests.instead', { name: line.actsInsteadOf })}</p>}
      <p>
        {line.organization.shortName}
        <small>
          {line.author.fullName}, {formatDate(line.arrivedAt ?? line.createdAt)}
        </small>
      </p>
      {line.description && <p>{line.description}</p>}
      {main?.act === 'sign' && main.point && <NeededKey point={main.point} />}
    </div>
  )
}

function Answer({ line, state, onMark, onUnmark }: ItemProps) {
  const { t } = useTexts('requests-lists')
  const button = useRef<HTMLButtonElement>(null)
  // Enter must answer, not close the screen: the focus goes here even if the answer is loaded after the screen.
  useEffect(() => button.current?.focus(), [])
  if (state === 'done') {
    return (
      <p className={classes.done}>
        <CheckIcon size={20} /> {t('queue.done')}
      </p>
    )
  }
  const awaited = awaitedInLine(line)
  return state === 'marked' ? (
    <Button
      ref={button}
      data-autofocus
      size="lg"
      variant="light"
      leftSection={<CheckIcon size={20} />}
      onClick={onUnmark}
    >
      {t('queue.remove')}
    </Button>
  ) : (
    <Button ref={button} data-autofocus size="lg" aria-keyshortcuts="Enter" onClick={onMark}>
      {t(`queue.add.${awaited === 'approve' || awaited === 'confirm' ? awaited : 'sign'}`)}
    </Button>
  )
}
