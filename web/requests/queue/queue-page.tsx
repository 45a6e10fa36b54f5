/**
 * The documents that wait for the person, one after another on the whole screen. They are marked one by one and then
 * acted on together, so that the signing program asks for the key once.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTexts } from '../../i18n/use-texts.ts'
import { useWorkplace } from '../../shell/session/session.ts'
import { EmptyPicture } from '../../ui/look/pictures.tsx'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Page } from '../../ui/page/page.tsx'
import { State } from '../../ui/page/states.tsx'
import { prefetchDocument } from '../files/shown-document.tsx'
import { BulkActs } from '../lists/bulk-acts.tsx'
import { awaitedInLine, type Line } from '../lists/list-line.ts'
import { requestQuery } from '../shared/queries.ts'
import { queueQuery } from './queries.ts'
import { QueueItem } from './queue-item.tsx'
import { isLookedThrough, mark, step, unmark, withWaiting, type Queue } from './queue.ts'
import classes from './queue.module.css'

export function QueuePage() {
  const { t } = useTexts('requests-lists')
  const { organization } = useWorkplace()
  const navigate = useNavigate()
  const { data, error, refetch } = useQuery(queueQuery(organization.Id))
  const close = () => void navigate({ to: '/signingRequests/$route', params: { route: 'incomings' } })
  return (
    <Page title={t('queue.title')}>
      <Modal
        opened
        fullScreen
        onClose={close}
        title={t('queue.title')}
        closeButtonProps={{ 'aria-label': t('common:actions.close') }}
        classNames={{ content: classes.content!, header: classes.header!, body: classes.body! }}
      >
        {error && <LoadFailed error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingLines count={8} />}
        {data && <Items lines={data.items.filter((line) => awaitedInLine(line) !== null)} onClose={close} />}
      </Modal>
    </Page>
  )
}

function Items({ lines, onClose }: { lines: readonly Line[]; onClose: () => void }) {
  const { t } = useTexts('requests-lists')
  const [seen, setSeen] = useState(lines)
  const [queue, setQueue] = useState(() => withWaiting(lines.map(({ id }) => id)))
  /** Every row seen so far, including those that are done, whose names stay visible. */
  const [known, setKnown] = useState(() => new Map(lines.map((line) => [line.id, line])))
  if (seen !== lines) {
    setSeen(lines)
    setQueue(
      withWaiting(
        lines.map(({ id }) => id),
        queue,
      ),
    )
    setKnown(new Map([...known, ...lines.map((line) => [line.id, line] as const)]))
  }
  const footer = useRef<HTMLElement>(null)
  const isAllMarked = queue.marked.length > 0 && isLookedThrough(queue)
  useEffect(() => {
    if (isAllMarked) footer.current?.querySelector('button')?.focus()
  }, [isAllMarked])
  useQueueKeys(setQueue)
  const shown = queue.shown === null ? undefined : known.get(queue.shown)
  const at = queue.ids.indexOf(queue.shown ?? '')
  usePrefetch(queue.ids[at + 1])
  if (!shown) {
    return (
      <State picture={<EmptyPicture />} title={t('queue.none')}>
        <Button onClick={onClose}>{t('queue.back')}</Button>
      </State>
    )
  }
  const state = queue.done.includes(shown.id) ? 'done' : queue.marked.includes(shown.id) ? 'marked' : 'open'
  return (
    <>
      <QueueItem
        line={shown}
        state={state}
        position={t('requests.progress', { done: at + 1, total: queue.ids.length })}
        onMark={() => setQueue(mark)}
        onUnmark={() => setQueue(unmark)}
        onPrevious={at > 0 ? () => setQueue((now) => step(now, -1)) : null}
        onNext={at < queue.ids.length - 1 ? () => setQueue((now) => step(now, 1)) : null}
      />
      <section ref={footer} className={classes.footer} aria-label={t('requests.bulk.label')}>
        <span role="status">{footerText(queue)}</span>
        {queue.marked.length === 0 && <span className={classes.keys}>{t('queue.keys')}</span>}
        <BulkActs lines={queue.marked.map((id) => known.get(id)!)} />
        {queue.done.length === queue.ids.length && <Button onClick={onClose}>{t('queue.back')}</Button>}
      </section>
    </>
  )

  function footerText({ marked, done, ids }: Queue): string {
    if (done.length === ids.length) return t('queue.over')
    if (marked.length === 0) return t('queue.hint')
    const chosen = t('requests.bulk.chosen', { count: marked.length })
    return isAllMarked ? `${chosen}. ${t('queue.together')}` : chosen
  }
}

/** Prefetches the next document, so that it opens at once. */
function usePrefetch(id: string | undefined): void {
  const client = useQueryClient()
  const { organization } = useWorkplace()
  const organizationId = organization.Id
  useEffect(() => {
    if (id === undefined) return
    const key = { organizationId, signingRequestId: id }
    void client.fetchQuery(requestQuery(key)).then(
      ({ revision }) => prefetchDocument(client, key, revision),
      // Ignored here: opening the document reports the error.
      () => undefined,
    )
  }, [client, organizationId, id])
}

/** Handles J, K and Enter in every keyboard layout, unless the focused element or a dialog needs the key. */
function useQueueKeys(change: (by: (queue: Queue) => Queue) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const { target } = event
    if (!(target instanceof HTMLElement) || isAbove(target)) return
    if (target.closest('input, textarea, select, [contenteditable]')) return
    if (event.code === 'KeyJ') change((queue) => step(queue, 1))
    else if (event.code === 'KeyK') change((queue) => step(queue, -1))
    else if (event.key === 'Enter' && !target.closest('a, button, [tabindex="0"]')) change(mark)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Whether the element is in a dialog that is open above the queue. */
function isAbove(target: HTMLElement): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"]')
  return dialogs.length > 1 && target.closest('[role="dialog"]') !== dialogs[0]
}
