/**
 * What keeps a route from being used that its points alone cannot tell: who stands behind them now. Together with
 * `routeFaults` of route.ts it is all that a validation says.
 */
import type { Alias } from '../errors.ts'
import { whyNotSendTo, type Receiver } from '../points/point.ts'
import { sideOf, type PointType } from '../points/point-types.ts'

/** The first two have their texts among those of fields, the others among the errors, under the same names. */
export const routeFaultNames = [
  'no-signing-point',
  'order-not-positive',
  /** Deleted, or somebody else's secret. */
  'points-not-found',
  'private_point_in_public_route',
  'internal_point_not_belong_to_organization',
  'counter_party_targets_creator_organization',
  'inactive-point',
  /** Nobody would act there: the group is gone, or nobody is left in it. */
  'unsuccessful_point_state',
  /** Published by an organisation that has not shown that its number is its own. */
  'organization-point-not-found',
  'forbidden_external_point_by_options',
  'forbidden_counter_party_point_by_options',
  /** The route itself has been switched off. */
  'unsuccessful_route_state',
] as const

export type RouteFaultName = (typeof routeFaultNames)[number]
export type FoundFault = { fault: RouteFaultName; pointIds: string[] }

/** A point as those behind it are now. */
export type PointState = {
  pointId: string
  type: PointType
  /** How many would be asked; for a number outside nobody knows. */
  participants: number
  /** Who has shown a digital signature with the number that the point leads to. */
  receiver: Receiver
}

/** Each fault once, with the points it concerns; `sender` is the organisation whose route it is. */
export function stateFaults(sender: string, points: readonly PointState[]): FoundFault[] {
  const found = new Map<RouteFaultName, string[]>()
  for (const point of points) {
    const fault = faultOf(sender, point)
    if (fault) found.set(fault, [...(found.get(fault) ?? []), point.pointId])
  }
  return [...found].map(([fault, pointIds]) => ({ fault, pointIds }))
}

function faultOf(sender: string, { type, participants, receiver }: PointState): RouteFaultName | null {
  const side = sideOf(type)
  if (side === 'counterParty' && receiver === null) return 'organization-point-not-found'
  const reason = whyNotSendTo(side, receiver, sender)
  if (
    reason === 'forbidden_external_point_by_options' ||
    reason === 'forbidden_counter_party_point_by_options'
  ) {
    return reason
  }
  return side !== 'external' && participants === 0 ? 'unsuccessful_point_state' : null
}

/** What saving is refused with; points that stood there before the person came are not what they did wrong. */
export function whyNotSave(faults: readonly FoundFault[], before: readonly string[] | null): Alias | null {
  const [first] = faults
  if (!first) return null
  const wrong = faults.flatMap(({ pointIds }) => pointIds)
  if (before && wrong.length > 0 && wrong.every((pointId) => before.includes(pointId))) {
    return 'error-during-route-update'
  }
  const { fault } = first
  return fault === 'no-signing-point' || fault === 'order-not-positive' ? 'validation-failure' : fault
}
