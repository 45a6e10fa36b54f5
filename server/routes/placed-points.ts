/** The points of a route with their current state. */
import type { Db } from '@kelisim/db/db.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { coarseTypes, sideOf, typeOf, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { stateFaults, type FoundFault, type PointState } from '@kelisim/domain/routes/faults.ts'
import type { EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import { isWithinReach } from '@kelisim/domain/routes/permissions.ts'
import { routeFaults, type VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { findPointsAmong, type PointRow } from '../points/queries.ts'
import { findReceivers, provedName } from '../points/receiver-queries.ts'
import { findEscalationNames, findRolesIn, type Placing } from './queries.ts'

/** The route that the points are for. */
export type Whose = { organizationId: string; authorId: string; scope: VisibilityScope }

export type PlacedPoint = Omit<PointRow, 'type'> & {
  pointId: string
  order: number
  condition: Condition | null
  termDays: number | null
  /** The name is null if the person or group has left the organisation: then nobody is told. */
  escalation: (EscalationTo & { name: string | null }) | null
  type: PointType
  state: PointState
}

/** The points in the given order; deleted ones are left out. */
export async function placedPoints(db: Db, points: readonly Placing[]): Promise<PlacedPoint[]> {
  const rows = await findPointsAmong(
    db,
    points.map(({ pointId }) => pointId),
  )
  const receivers = await findReceivers(db, [...new Set(rows.map(numberOf))])
  const nameOf = await escalationNames(db, points, rows)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return points.flatMap(({ pointId, order, condition, termDays, escalation: to }) => {
    const row = byId.get(pointId)
    if (!row) return []
    const type = typeOf(row.type)!
    const receiver = receivers.get(numberOf(row)) ?? null
    // Only the organisation that has confirmed the number may publish points under it.
    const isTheirs = sideOf(type) === 'external' || receiver?.organizationId === row.organizationId
    const state = {
      pointId,
      type,
      participants: row.participants.length,
      quorum: row.quorum,
      receiver: isTheirs ? receiver : null,
    }
    const organizationName = provedName(numberOf(row), receiver) ?? row.organizationName
    // Only within the own organisation is it known who can be told.
    const escalation =
      to && termDays !== null && sideOf(type) === 'internal' ? { ...to, name: nameOf(row, to) } : null
    return [{ ...row, organizationName, pointId, order, condition, termDays, escalation, type, state }]
  })
}

async function escalationNames(
  db: Db,
  points: readonly Placing[],
  rows: readonly PointRow[],
): Promise<(point: PointRow, to: EscalationTo) => string | null> {
  const ids = points.flatMap(({ escalation }) => escalation?.id ?? [])
  const organizations = ids.length > 0 ? [...new Set(rows.map(({ organizationId }) => organizationId))] : []
  const names = new Map<string, Map<string, string>>()
  for (const id of organizations) names.set(id, await findEscalationNames(db, id, ids))
  return ({ organizationId }, { id }) => names.get(organizationId)?.get(id) ?? null
}

/** The number of the side that acts. */
export function numberOf({ bin, ownBin }: Pick<PointRow, 'bin' | 'ownBin'>): string {
  return bin ?? ownBin
}

/** The points, and the ids of those that are deleted or not allowed. */
export async function pointsWithinReach(
  db: Db,
  points: readonly Placing[],
  route: Whose,
  viewer: Viewer,
): Promise<{ points: PlacedPoint[]; missing: string[] }> {
  const found = await placedPoints(db, points)
  const foreign = found
    .map(({ organizationId }) => organizationId)
    .filter((id) => id !== route.organizationId)
  const rolesThere = await findRolesIn(db, viewer.userId, foreign)
  const reached = found.filter((point) =>
    isWithinReach({ ...point, rolesThere: rolesThere.get(point.organizationId) ?? null }, route, viewer),
  )
  const reachedIds = new Set(reached.map(({ pointId }) => pointId))
  return {
    points: reached,
    missing: points.map(({ pointId }) => pointId).filter((pointId) => !reachedIds.has(pointId)),
  }
}

/** All current faults of the points. */
export function faultsOf(
  { organizationId, scope }: Pick<Whose, 'organizationId' | 'scope'>,
  points: readonly PlacedPoint[],
): FoundFault[] {
  return [
    ...routeFaults({ organizationId, scope, points }),
    ...stateFaults(
      organizationId,
      points.map(({ state }) => state),
    ),
  ]
}

/** A point as a viewer of the route sees it, without the people of other organisations. */
export function pointInRoute(point: PlacedPoint, organizationId: string) {
  const isOurs = point.organizationId === organizationId
  const { pointId, order, condition, termDays, escalation, name, description, type, isActive } = point
  const { agreementCondition, quorum, emails } = point
  return {
    pointId,
    order,
    condition,
    termDays,
    escalation,
    name,
    description,
    type,
    isActive,
    agreementCondition,
    quorum,
    emails,
    isEdsPresentationRequired: point.isEdsPresentationRequired,
    keyHolder: point.keyHolder,
    signatureForm: point.signatureForm,
    pointType: coarseTypes[sideOf(type)],
    scope: point.scope,
    group: isOurs && point.groupId !== null ? { id: point.groupId, name: point.groupName ?? '' } : null,
    responsiblePersons: isOurs ? point.responsiblePersons : [],
    participants: isOurs ? point.participants : [],
    bin: numberOf(point),
    organizationName: point.bin === null ? point.ownName : point.organizationName,
  }
}
