/** One request, kept as it is on the server: told of every change by a line that stays open, or asked for again. */
import { useEffect, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { fillPath } from '@kelisim/domain/endpoint.ts'
import { getRequest, watchRequest } from '@kelisim/domain/requests/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api.ts'
import { useRefreshLists } from './refresh-lists.ts'
import { changedPoints, type RequestView } from './request-view.ts'

export type RequestKey = { organizationId: string; signingRequestId: string }
/** What somebody else changed while the page was open. */
export type Mark = { at: string; pointIds: string[] }

const pollEvery = 15_000

export function useRequest(input: RequestKey, { isEnabled = true, isActing = false } = {}) {
  const client = useQueryClient()
  const refreshLists = useRefreshLists()
  const [isLive, setLive] = useState(true)
  const options = query(getRequest, input)
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...options,
    enabled: isEnabled,
    // What is shown is what is now.
    staleTime: 0,
    refetchInterval: isLive ? false : pollEvery,
  })
  const isThere = data !== undefined
  const versionNow = () => client.getQueryData<RequestView>(options.queryKey)?.currentVersion
  useChanges(input, isThere, setLive, versionNow, () => void refetch())
  const mark = useMark(data, dataUpdatedAt, isActing)

  return {
    request: data,
    error,
    refetch,
    mark,
    /** What an act answered with is what is now. */
    keep: (request: RequestView) => {
      client.setQueryData(options.queryKey, request)
      refreshLists()
    },
  }
}

/** A page that nobody looks at holds no line: browsers have few of them. */
function useChanges(
  { organizationId, signingRequestId }: RequestKey,
  isThere: boolean,
  setLive: (isLive: boolean) => void,
  versionNow: () => number | undefined,
  onChange: () => void,
): void {
  const [isSeen, setSeen] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setSeen(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  const { path } = fillPath(watchRequest.path, { organizationId, signingRequestId })
  useEffect(() => {
    if (!isSeen || !isThere) return undefined
    const line = new EventSource(path)
    line.addEventListener('open', () => setLive(true))
    let isFirst = true
    line.addEventListener('message', ({ data }) => {
      const { currentVersion } = JSON.parse(String(data)) as z.output<typeof watchRequest.result>
      // The first word is said when the line opens: usually it is what was just read.
      if (!isFirst || currentVersion !== versionNow()) onChange()
      isFirst = false
    })
    line.addEventListener('error', () => {
      // It tries again by itself unless it was turned away.
      if (line.readyState === EventSource.CLOSED) setLive(false)
    })
    return () => line.close()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- asking again is the same question all along
  }, [path, isSeen, isThere])
}

/** What came while the person was in a dialog of their own is what they did, or what the dialog tells them of. */
function useMark(data: RequestView | undefined, cameAt: number, isActing: boolean): Mark | null {
  const [seen, setSeen] = useState(data)
  const [mark, setMark] = useState<Mark | null>(null)
  if (data !== seen) {
    setSeen(data)
    const isNewer = seen !== undefined && data !== undefined && data.id === seen.id
    if (isNewer && !isActing && data.currentVersion > seen.currentVersion) {
      setMark({ at: new Date(cameAt).toISOString(), pointIds: changedPoints(seen, data) })
    } else if (!isNewer || isActing) setMark(null)
  }
  return mark
}
