import type * as z from 'zod/mini'
import { second } from '@kelisim/domain/durations.ts'
import { getThreads, type ThreadView as Thread } from '@kelisim/domain/comments/contract.ts'
import { call } from '../api/api.ts'
import type { RequestKey } from '../requests/shared/queries.ts'

export type ThreadView = z.output<typeof Thread>
export type ThreadPage = z.output<typeof getThreads.result>

const pageSize = 50

/** The threads in pages, of which more are loaded on request. */
export function threadsQuery(key: RequestKey) {
  return {
    queryKey: [getThreads.path, key],
    queryFn: ({ pageParam: skip, signal }: { pageParam: number; signal: AbortSignal }) =>
      call(getThreads, { ...key, skip, take: pageSize }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }: ThreadPage, all: readonly ThreadPage[]) =>
      all.length * pageSize < totalCount ? all.length * pageSize : undefined,
    // Fresh data from the page loader is used; anything older is loaded again.
    staleTime: 2 * second,
  }
}
