/** The points that stand in a route or are to stand there: as they are, and as those behind them are. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { coarseTypes, sideOf, typeOf, type PointType } from '@kelisim/domain/points/point-types.ts'
import { stateFaults, type FoundFault, type PointState } from '@kelisim/domain/routes/faults.ts'
import { isWithinReach } from '@kelisim/domain/routes/permissions.ts'
import { routeFaults, type VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { findPointsAmong, type PointRow } from '../points/queries.ts'
import { findReceivers } from '../points/receivers.ts'
import type { Placing } from './queries.ts'

/** Whose route the points are for. */
export type Whose = { organizationId: string; authorId: string; scope: VisibilityScope }

export type PlacedPoint = Omit<PointRow, 'type'> & {
  pointId: string
  order: number
  type: PointType
  state: PointState
}

/** In the order given; those that are gone are left out. */
export async function placedPoints(db: Db, points: readonly Placing[]): Promise<PlacedPoint[]> {
  const rows = await findPointsAmong(
    db,
    points.map(({ pointId }) => pointId),
  )
  const receivers = await findReceivers(db, [...new Set(rows.map(numberOf))])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return points.flatMap(({ pointId, order }) => {
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
      receiver: isTheirs ? receiver : null,
    }
    return [{ ...row, pointId, order, type, state }]
  })
}

/** Of those who act there. */
function numberOf({ bin, ownBin }: Pick<PointRow, 'bin' | 'ownBin'>): string {
  return bin ?? ownBin
}

/** The points given, and the ids of those that are gone or out of reach. */
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

async function findRolesIn(db: Db, userId: string, organizationIds: string[]): Promise<Map<string, number>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('memberships')
    .select(['organizationId', 'roles'])
    .where('userId', '=', userId)
    .where('organizationId', 'in', organizationIds)
    .execute()
  return new Map(rows.map(({ organizationId, roles }) => [organizationId, roles]))
}

/** All that is wrong with the points as things stand now. */
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

/** What a reader of the route is told of a point: of another organisation's, nothing about its people. */
export function pointInRoute(point: PlacedPoint, organizationId: string) {
  const isOurs = point.organizationId === organizationId
  const { pointId, order, name, description, type, isActive, agreementCondition, emails } = point
  return {
    pointId,
    order,
    name,
    description,
    type,
    isActive,
    agreementCondition,
    emails,
    isEdsPresentationRequired: point.isEdsPresentationRequired,
    pointType: coarseTypes[sideOf(type)],
    scope: point.scope,
    group: isOurs && point.groupId !== null ? { id: point.groupId, name: point.groupName ?? '' } : null,
    responsiblePersons: isOurs ? point.responsiblePersons : [],
    participants: isOurs ? point.participants : [],
    bin: numberOf(point),
    organizationName: point.bin === null ? point.ownName : point.organizationName,
  }
}

/** They stay as they are, and are not deleted, before the transaction ends. */
export async function lockPoints(tx: Tx, pointIds: readonly string[]): Promise<void> {
  if (pointIds.length === 0) return
  await tx.selectFrom('points').select('id').where('id', 'in', pointIds).orderBy('id').forShare().execute()
}
