import { actOf, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { ProcessKind } from '@kelisim/domain/requests/status.ts'

/** What a request awaits from the viewer; `checking`: the viewer waits for the check of their signature. */
export type Awaited = 'sign' | 'approve' | 'confirm' | 'eds' | 'signTermination' | 'checking'

/** The acts that a request can wait for, the most important first. */
export const mainActs = ['sign', 'approve', 'confirm'] as const
type MainAct = (typeof mainActs)[number]

/** The word for an act at a point of this type. */
export function awaitedAct(
  act: MainAct,
  type: PointType | null,
  process: ProcessKind,
): Exclude<Awaited, 'checking'> {
  if (act !== 'sign') return act
  // An approval that has to be confirmed with a digital signature is given by signing.
  if (type && actOf(type) === 'approve') return 'eds'
  return process === 'terminating' ? 'signTermination' : 'sign'
}
