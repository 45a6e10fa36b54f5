import type * as z from 'zod/mini'
import type { Point } from '@kelisim/domain/points/contract.ts'
import { coarseTypes } from '@kelisim/domain/points/point-types.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'

export type PointView = z.output<typeof Point>

/** A published point is called external, because it is for other organisations. */
export function scopeName({ pointType, visibilityScope }: PointView): 'personal' | 'common' | 'external' {
  if (pointType === coarseTypes.counterParty) return 'external'
  return visibilityScope === visibilityScopes.members.Public ? 'common' : 'personal'
}
