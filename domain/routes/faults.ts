/**
 * Faults that depend on the people and organisations behind the points. Together with
 * `routeFaults` of route.ts they are the result of a validation.
 */
import type { Alias } from '../errors.ts'
import { whyNotSendTo, type Receiver } from '../points/point.ts'
import { sideOf, type PointType } from '../points/point-types.ts'

/** The texts of the first two are with those of fields, those of the others with the errors, under the same names. */
export const routeFaultNames = [
  'no-signing-point',
  'order-not-positive',
  /** Deleted, or not visible to the caller. */
  'points-not-found',
  'private_point_in_public_route',
  'internal_point_not_belong_to_organization',
  'counter_party_targets_creator_organization',
  'inactive-point',
  /** Nobody could act, because the group is deleted or empty. */
  'unsuccessful_point_state',
  /** The group has become smaller than the number of people who must act. */
  'group-smaller-than-quorum',
  /** Published by an organisation that is not confirmed. */
  'organization-point-not-found',
  'forbidden_external_point_by_options',
  'receiver-paused',
  'forbidden_counter_party_point_by_options',
  /** The route is deactivated. */
  'unsuccessful_route_state',
] as const

export type RouteFaultName = (typeof routeFaultNames)[number]
export type FoundFault = { fault: RouteFaultName; pointIds: string[] }

/** The current state of a point. */
export type PointState = {
  pointId: string
  type: PointType
  /** How many participants there are; unknown for an external number. */
  participants: number
  /** How many of them must act, if neither one nor all. */
  quorum: number | null
  /** The confirmed organisation with the number of the point. */
  receiver: Receiver
}

/** Each fault once, with its points; `sender` is the organisation of the route. */
export function stateFaults(sender: string, points: readonly PointState[]): FoundFault[] {
  const found = new Map<RouteFaultName, string[]>()
  for (const point of points) {
    const fault = faultOf(sender, point)
    if (fault) found.set(fault, [...(found.get(fault) ?? []), point.pointId])
  }
  return [...found].map(([fault, pointIds]) => ({ fault, pointIds }))
}

function faultOf(
  sender: string,
  { type, participants, quorum, receiver }: PointState,
): RouteFaultName | null {
  const side = sideOf(type)
  if (side === 'counterParty' && receiver === null) return 'organization-point-not-found'
  const reason = whyNotSendTo(side, receiver, sender)
  if (
    reason === 'receiver-paused' ||
    reason === 'forbidden_external_point_by_options' ||
    reason === 'forbidden_counter_party_point_by_options'
  ) {
    return reason
  }
  if (side !== 'external' && participants === 0) return 'unsuccessful_point_state'
  return quorum !== null && quorum > participants ? 'group-smaller-than-quorum' : null
}

/** Why saving is refused; has an alias of its own if only points that were already in the route are at fault. */
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
