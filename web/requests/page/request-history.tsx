/** The history of a request, the latest first: what people did, in the words they use; the whole record on demand. */
import { useState } from 'react'
import { Button, Switch } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { Condition } from '@kelisim/domain/routes/condition-contract.ts'
import * as z from 'zod/mini'
import { call, type ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate, formatMoment, formatShortMoment } from '../../ui/format/dates.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card } from '../../ui/page/page.tsx'
import { toldSides, toldSteps } from '@kelisim/domain/requests/correcting/told-steps.ts'
import { useConditionText } from '../../routes/conditions/use-condition-text.ts'
import { useActorName } from '../shared/actor-name.ts'
import { useKeyFacts } from '../shared/needed-key.tsx'
import { humanEvents, type EventView, type HumanEvent } from './human-events.ts'
import classes from '../shared/request-page.module.css'
import type { RequestKey } from '../shared/queries.ts'

type HistoryPage = z.output<typeof getRequestHistory.result>

/** Covers all events of nearly every request, so that everything people did is on the first page. */
const take = 50

export function RequestHistory({ requestKey, version }: { requestKey: RequestKey; version: number }) {
  const { t } = useTexts('requests')
  const [isWhole, setWhole] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery<
    HistoryPage,
    ApiError
  >({
    queryKey: [getRequestHistory.path, requestKey, version],
    queryFn: ({ pageParam, signal }) =>
      call(getRequestHistory, { ...requestKey, skip: Number(pageParam), take }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0)
      return shown < last.totalCount ? shown : undefined
    },
    // A new event changes the first page: keep the old rows until it is loaded.
    placeholderData: (before) => before,
  })
  if (error) return <LoadFailed error={error} onRetry={() => void refetch()} />
  const events = data?.pages.flatMap(({ items }) => items)
  return (
    <Card>
      <header className={classes.historyHead}>
        <h2>{t('history.title')}</h2>
        <Switch
          label={t('history.whole')}
          labelPosition="left"
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
        />
      </header>
      {!events && <LoadingLines count={4} />}
      <ol className={classes.history} aria-label={t('history.title')}>
        {events &&
          (isWhole
            ? events.map((event) => <Recorded key={event.number} event={event} />)
            : humanEvents(events).map((event) => <Told key={event.number} event={event} />))}
      </ol>
      {hasNextPage && (
        <Button variant="default" mt={12} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('history.more')}
        </Button>
      )}
    </Card>
  )
}

/** The colours of failures and successes. */
const tones: Record<string, string> = {
  'signature-refused': 'bad',
  rejected: 'bad',
  withdrawn: 'bad',
  expired: 'bad',
  overdue: 'bad',
  escalated: 'bad',
  undelivered: 'bad',
  completed: 'ok',
  'all-signed': 'ok',
  'signature-accepted': 'ok',
  approved: 'ok',
  confirmed: 'ok',
}

/** One event of the short history, as a sentence. */
function Told({ event }: { event: HumanEvent }) {
  const { t } = useTexts('requests')
  const actorName = useActorName()
  const { said, by, comment, at, type, source } = event
  const name = by === null ? '' : actorName(by)
  return (
    <li data-tone={tones[type]}>
      <p>
        {t(`history.said.${said}`, { name, point: source.pointName ?? '' })}
        <span className={classes.when}> · {formatShortMoment(at)}</span>
      </p>
      {comment !== '' && <blockquote>{comment}</blockquote>}
      <GivenNumber number={source.data['number']} />
      <ByPower power={source.data['power']} />
      <NeededIf event={source} />
      <ChangedSteps event={source} />
      <HowReached event={source} />
      <Why event={source} />
    </li>
  )
}

/** One event of the whole record. */
function Recorded({ event }: { event: EventView }) {
  const { t, find } = useTexts('requests')
  const actorName = useActorName()
  const values = { point: event.pointName ?? '' }
  return (
    <li data-tone={tones[event.type]}>
      <p>{find(`requests:history.events.${event.type}`, values) ?? t('history.events.other')}</p>
      <p className={classes.when}>
        {event.actor ? actorName(event.actor) : t('history.system')} · {formatMoment(event.at)}
      </p>
      {event.comment && <blockquote>{event.comment}</blockquote>}
      <GivenNumber number={event.data['number']} />
      <ByPower power={event.data['power']} />
      <NeededIf event={event} />
      <ChangedSteps event={event} />
      <HowReached event={event} />
      <Why event={event} />
    </li>
  )
}

/** The condition that was not met, so that a step was passed over. */
function NeededIf({ event }: { event: EventView }) {
  const { t } = useTexts('requests')
  const conditionText = useConditionText()
  const { success, data } = Condition.safeParse(event.data['condition'])
  if (event.type !== 'passed-over' || !success) return null
  return <p className={classes.when}>{t('history.neededIf', { what: conditionText(data) })}</p>
}

/** The steps ahead before and after a change of them; of an event `sides-changed` the sides before and after it. */
function ChangedSteps({ event }: { event: EventView }) {
  const { t } = useTexts('requests')
  const steps = event.type === 'rerouted' ? toldSteps(event.data) : null
  const names = event.type === 'sides-changed' ? toldSides(event.data) : null
  const list = (text: string) => text || t('history.noSteps')
  return (
    <>
      {steps && <p className={classes.when}>{t('history.stepsBefore', { steps: list(steps.before) })}</p>}
      {steps && <p className={classes.when}>{t('history.stepsAfter', { steps: list(steps.after) })}</p>}
      {names !== null && <p className={classes.when}>{t('history.sides', { names })}</p>}
    </>
  )
}

const ReceiptData = z.object({ by: z.enum(['email', 'here']), at: z.string(), to: z.optional(z.string()) })

/** How the news of a turn reached its recipient, or why it did not. */
function HowReached({ event }: { event: EventView }) {
  const { t } = useTexts('requests')
  const isReceipt = event.type === 'delivered' || event.type === 'undelivered'
  const { success, data } = ReceiptData.safeParse(event.data)
  if (!isReceipt || !success) return null
  const how = event.type === 'undelivered' ? event.type : data.by
  const words = t(`history.receipt.${how}`, { date: formatShortMoment(data.at) })
  return <p className={classes.when}>{data.to === undefined ? words : `${data.to} · ${words}`}</p>
}

/** Why a signature was not accepted. */
function Why({ event }: { event: EventView }) {
  const { find } = useTexts('requests')
  const code = event.data['code']
  const why = typeof code === 'string' ? find(`signatures:codes.${code}`) : undefined
  const keyFacts = useKeyFacts(event.data)
  if (!why) return null
  return (
    <blockquote>
      {why} ({String(code)}). {keyFacts}
    </blockquote>
  )
}

/** The number that the sender gave the document. */
function GivenNumber({ number }: { number: unknown }) {
  const { t } = useTexts('requests')
  return typeof number === 'string' ? <p className={classes.when}>{t('history.number', { number })}</p> : null
}

const NamedPower = z.object({ number: z.string(), validFrom: z.string(), validUntil: z.string() })

/** The power of attorney under which a signature counts. */
function ByPower({ power }: { power: unknown }) {
  const { t } = useTexts('requests')
  const { success, data } = NamedPower.safeParse(power)
  if (!success) return null
  const { number, validFrom, validUntil } = data
  return (
    <p className={classes.when}>
      {t('history.byPower', { number, from: formatDate(validFrom), to: formatDate(validUntil) })}
    </p>
  )
}
