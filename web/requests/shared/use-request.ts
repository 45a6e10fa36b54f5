/** Loads a request and keeps it up to date by server-sent events, or by polling without them. */
import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { second } from '@kelisim/domain/durations.ts'
import { useLive } from '../../shell/session/live.ts'
import { requestQuery, type RequestKey } from './queries.ts'
import { useRefreshLists } from './refresh-lists.ts'
import { changedPoints, type ChangedPoints, type RequestView } from './request-view.ts'

/** What somebody else changed while the page was open. */
export type Mark = { at: string; changed: ChangedPoints }

const pollEvery = 15_000

export function useRequest(input: RequestKey, { isEnabled = true, isActing = false } = {}) {
  const client = useQueryClient()
  const refreshLists = useRefreshLists()
  const [isLive, setLive] = useState(true)
  const options = requestQuery(input)
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...options,
    enabled: isEnabled,
    // Fresh data from the page loader is used; anything older is loaded again.
    staleTime: 2 * second,
    refetchInterval: isLive ? false : pollEvery,
  })
  const versionNow = () => client.getQueryData<RequestView>(options.queryKey)?.currentVersion
  const isHeard = useLive(
    input,
    (message, isFirst) => {
      if (message.type !== 'request' || message.signingRequestId !== input.signingRequestId) return
      if (!isFirst || message.currentVersion !== versionNow()) void refetch()
    },
    { isEnabled: data !== undefined },
  )
  if (isHeard !== isLive) setLive(isHeard)
  const mark = useMark(data, dataUpdatedAt, isActing)

  return {
    request: data,
    error,
    refetch,
    mark,
    /** Stores the request that an action returned. */
    keep: (request: RequestView) => {
      client.setQueryData(options.queryKey, request)
      refreshLists()
    },
  }
}

/** Changes while the person has a dialog open are not highlighted: they are their own, or the dialog shows them. */
function useMark(data: RequestView | undefined, cameAt: number, isActing: boolean): Mark | null {
  const [seen, setSeen] = useState(data)
  const [mark, setMark] = useState<Mark | null>(null)
  if (data !== seen) {
    setSeen(data)
    const isNewer = seen !== undefined && data !== undefined && data.id === seen.id
    if (isNewer && !isActing && data.currentVersion > seen.currentVersion) {
      setMark({ at: new Date(cameAt).toISOString(), changed: changedPoints(seen, data) })
    } else if (!isNewer || isActing) setMark(null)
  }
  return mark
}
