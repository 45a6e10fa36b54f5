/** The history of a request, the latest first, page by page. */
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRequestHistory, type RequestEventView } from '@kelisim/domain/requests/contract.ts'
import * as z from 'zod/mini'
import { call, type ApiError } from '../../api/api.ts'
import { useTexts } from '../../i18n/use-texts.ts'
import { formatDate, formatMoment } from '../../ui/format/dates.ts'
import { LoadFailed } from '../../ui/page/load-failed.tsx'
import { LoadingLines } from '../../ui/page/loading.tsx'
import { Card } from '../../ui/page/page.tsx'
import { useActorName } from '../shared/actor-name.ts'
import { useKeyFacts } from '../shared/needed-key.tsx'
import classes from '../shared/request-page.module.css'
import type { RequestKey } from '../shared/queries.ts'

type EventView = z.output<typeof RequestEventView>
type HistoryPage = z.output<typeof getRequestHistory.result>

const take = 10

export function RequestHistory({ requestKey, version }: { requestKey: RequestKey; version: number }) {
  const { t } = useTexts('requests')
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
  return (
    <Card title={t('history.title')}>
      {!data && <LoadingLines count={4} />}
      <ol className={classes.history} aria-label={t('history.title')}>
        {data?.pages
          .flatMap(({ items }) => items)
          .map((event) => (
            <Event key={event.number} event={event} />
          ))}
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
  completed: 'ok',
  'all-signed': 'ok',
  'signature-accepted': 'ok',
  approved: 'ok',
}

function Event({ event }: { event: EventView }) {
  const { t, find } = useTexts('requests')
  const actorName = useActorName()
  const values = { point: event.pointName ?? '' }
  const code = event.data['code']
  const why = typeof code === 'string' ? find(`signatures:codes.${code}`) : undefined
  const keyFacts = useKeyFacts(event.data)
  return (
    <li data-tone={tones[event.type]}>
      <p>{find(`requests:history.events.${event.type}`, values) ?? t('history.events.other')}</p>
      <p className={classes.when}>
        {event.actor ? actorName(event.actor) : t('history.system')} · {formatMoment(event.at)}
      </p>
      {event.comment && <blockquote>{event.comment}</blockquote>}
      <ByPower power={event.data['power']} />
      {why && (
        <blockquote>
          {why} ({String(code)}). {keyFacts}
        </blockquote>
      )}
    </li>
  )
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
