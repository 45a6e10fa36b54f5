import type * as z from 'zod/mini'
import { actOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { RequestLine } from '@kelisim/domain/requests/list-contract.ts'
import { statusName, type Awaited } from '../shared/request-status.tsx'

export type Line = z.output<typeof RequestLine>

const mostCounted = 100

export function counted(count: number): string {
  return count > mostCounted ? `${mostCounted}+` : String(count)
}

/** In the words of the page of the request (`awaitedOf` in request-view.ts), from the little that a line says. */
export function awaitedOf({ acts, status }: Pick<Line, 'acts' | 'status'>): Awaited | null {
  const found = (['sign', 'approve', 'confirm'] as const).flatMap((one) =>
    acts.filter(({ act }) => act === one),
  )[0]
  if (found?.act !== 'sign') return found?.act === 'approve' || found?.act === 'confirm' ? found.act : null
  const type = typeOf(found.type ?? 0)
  if (type && actOf(type) === 'approve') return 'eds'
  return statusName(status).startsWith('Terminating') ? 'signTermination' : 'sign'
}
