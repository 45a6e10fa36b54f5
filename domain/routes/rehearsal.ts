/** A rehearsal: who would get a document in which turn, and what they would be asked to do. */
import {
  actOf,
  coarseTypes,
  isSigningType,
  sideOf,
  type PointAct,
  type PointType,
} from '../points/point-types.ts'
import type { Verdict } from './condition.ts'
import type { FoundFault, RouteFaultName } from './faults.ts'
import { turnsOf } from './route.ts'

type Person = { userId: string; fullName: string }

type Placed = {
  pointId: string
  order: number
  type: PointType
  isEdsPresentationRequired: boolean
  participants: Person[]
  responsiblePersons: Person[]
}

/** The required certificate: of the number of the point, of the person who acts, or none. */
export function requiredCertificate(
  type: PointType,
  isEdsPresentationRequired: boolean,
): 'organization' | 'person' | null {
  if (isSigningType(type)) return type === 'EmployeeInternalSign' ? 'person' : 'organization'
  return type === 'InternalApprove' && isEdsPresentationRequired ? 'person' : null
}

export type Step<P> = Omit<P, 'order'> & {
  pointType: number
  act: PointAct
  certificate: 'organization' | 'person' | null
  addressed: Person[]
  faults: RouteFaultName[]
  verdict: Verdict | null
}

/** `verdicts`: the verdict on each condition by point, if the rehearsal is for a particular document. */
export function rehearsalOf<P extends Placed>(
  points: readonly P[],
  faults: readonly FoundFault[],
  verdicts: ReadonlyMap<string, Verdict> = new Map(),
): { order: number; steps: Step<P>[] }[] {
  return turnsOf(points).map(({ order, points: together }) => ({
    order,
    steps: together.map(({ order: _, ...point }) => ({
      ...point,
      pointType: coarseTypes[sideOf(point.type)],
      act: actOf(point.type),
      certificate: requiredCertificate(point.type, point.isEdsPresentationRequired),
      // Responsible people get the e-mails; without any, the whole group does.
      addressed: point.responsiblePersons.length > 0 ? point.responsiblePersons : point.participants,
      faults: faults.filter(({ pointIds }) => pointIds.includes(point.pointId)).map(({ fault }) => fault),
      verdict: verdicts.get(point.pointId) ?? null,
    })),
  }))
}
