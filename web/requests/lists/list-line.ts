import type * as z from 'zod/mini'
import { typeOf } from '@kelisim/domain/points/point-types.ts'
import { processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { RequestLine } from '@kelisim/domain/requests/list-contract.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import { awaitedAct, mainActs, type Awaited } from '../shared/awaited.ts'

export type Line = z.output<typeof RequestLine>

const mostCounted = 100

export function counted(count: number): string {
  return count > mostCounted ? `${mostCounted}+` : String(count)
}

/** What the request of a row waits for from the person; null: nothing. */
export function awaitedInLine({ acts, status }: Pick<Line, 'acts' | 'status'>): Awaited | null {
  for (const main of mainActs) {
    const found = acts.find(({ act }) => act === main)
    if (found)
      return awaitedAct(main, typeOf(found.type ?? 0), processOf({ status: requestStatusOf(status) }))
  }
  return null
}
