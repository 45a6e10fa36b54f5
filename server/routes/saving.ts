/** Adds and saves routes and templates. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { sameEscalation, type EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { whyNotSave } from '@kelisim/domain/routes/faults.ts'
import { personalPoints, routeTypeOf, withoutRepeats } from '@kelisim/domain/routes/route.ts'
import { faultsOf, pointsWithinReach, type PlacedPoint, type Whose } from './placed-points.ts'
import {
  addRouteRow,
  saveRouteRow,
  type Content,
  type KeptPoint,
  type Placing,
  type RouteRow,
  lockPoints,
} from './queries.ts'

/** A property that is left out stays as it is saved. */
export type WantedPoint = {
  pointId: string
  order: number
  condition?: Condition | null | undefined
  termDays?: number | null | undefined
  escalation?: EscalationTo | null | undefined
}

export type RouteInput = Omit<Content, 'type' | 'points'> & {
  points: readonly WantedPoint[]
  /** Leaves personal points out instead of refusing. */
  removePersonalPoints: boolean
}

type By = { viewer: Viewer; now: Date }

/** Returns the id of the new route. */
export async function addRoute(
  tx: Tx,
  route: { organizationId: string; kind: RouteKind; templateId: string | null },
  input: RouteInput,
  { viewer, now }: By,
): Promise<string> {
  const whose = { organizationId: route.organizationId, authorId: viewer.userId, scope: input.scope }
  const id = newId(now.getTime())
  const content = await contentOf(tx, whose, input, viewer, null)
  await addRouteRow(tx, { ...route, id, ...content }, { by: viewer.userId, at: now })
  return id
}

/** The route must be locked. */
export async function saveRoute(
  tx: Tx,
  route: RouteRow,
  input: RouteInput,
  { viewer, now }: By,
): Promise<void> {
  const { organizationId, authorId } = route
  const whose = { organizationId, authorId, scope: input.scope }
  const content = await contentOf(tx, whose, input, viewer, route.points)
  await saveRouteRow(tx, route, content, { by: viewer.userId, at: now })
}

/** Checks the input and returns the content to save; a refusal names all faults. */
async function contentOf(
  tx: Tx,
  whose: Whose,
  input: RouteInput,
  viewer: Viewer,
  before: readonly Placing[] | null,
): Promise<Content> {
  const wanted = placingsOf(withoutRepeats(input.points), before ?? [])
  // Locked before they are checked, so that they do not change before the route is saved.
  await lockPoints(
    tx,
    wanted.map(({ pointId }) => pointId),
  )
  const points = await fittingPoints(tx, whose, wanted, viewer, input.removePersonalPoints)
  refuseStrangers(points, before ?? [])
  const faults = faultsOf(whose, points)
  const alias = whyNotSave(faults, before && before.map(({ pointId }) => pointId))
  if (alias === 'validation-failure') {
    refuse(alias, { fields: faults.map(({ fault: code }) => ({ path: 'points', code })) })
  }
  if (alias) refuse(alias, { pointIds: faults[0]!.pointIds, faults })
  const { name, description, scope } = input
  return { name, description, scope, type: routeTypeOf(points), points: points.map(keptPoint) }
}

/** Refuses newly named people and groups from outside the organisation; one that left later prevents no saving. */
export function refuseStrangers(points: readonly PlacedPoint[], before: readonly Placing[]): void {
  const known = new Map(before.map(({ pointId, escalation }) => [pointId, escalation]))
  for (const { pointId, escalation } of points) {
    if (!escalation || escalation.name !== null) continue
    if (sameEscalation(known.get(pointId) ?? null, escalation)) continue
    refuse(escalation.kind === 'group' ? 'organization-group-not-found' : 'user-not-found')
  }
}

/** Each point with its condition, term and escalation: the wanted ones, or else the saved ones. */
export function placingsOf(points: readonly WantedPoint[], saved: readonly Placing[]): Placing[] {
  const known = new Map(saved.map((point) => [point.pointId, point]))
  return points.map(({ pointId, order, condition, termDays, escalation }) => ({
    pointId,
    order,
    condition: condition === undefined ? (known.get(pointId)?.condition ?? null) : condition,
    termDays: termDays === undefined ? (known.get(pointId)?.termDays ?? null) : termDays,
    escalation: escalation === undefined ? (known.get(pointId)?.escalation ?? null) : escalation,
  }))
}

async function fittingPoints(
  db: Db,
  whose: Whose,
  wanted: readonly Placing[],
  viewer: Viewer,
  removePersonalPoints: boolean,
): Promise<PlacedPoint[]> {
  const { points, missing } = await pointsWithinReach(db, wanted, whose, viewer)
  if (missing.length > 0) {
    refuse('points-not-found', {
      pointIds: missing,
      faults: [{ fault: 'points-not-found', pointIds: missing }],
    })
  }
  const personal = whose.scope === 'common' ? personalPoints(points) : []
  if (personal.length > 0 && !removePersonalPoints) {
    const pointIds = personal.map(({ pointId }) => pointId)
    refuse('common-route-with-personal-points', {
      pointIds,
      faults: [{ fault: 'private_point_in_public_route', pointIds }],
    })
  }
  return points.filter((point) => !personal.includes(point))
}

export function keptPoint(point: PlacedPoint): KeptPoint {
  const { pointId, order, condition, termDays, name, type } = point
  const escalation = escalationOf(point)
  return { pointId, order, condition, termDays, escalation, name, type: pointTypes.of(type) }
}

/** The escalation as it is stored: without the name, which may change. */
export function escalationOf({ escalation }: Pick<PlacedPoint, 'escalation'>): EscalationTo | null {
  return escalation && { kind: escalation.kind, id: escalation.id, mayAct: escalation.mayAct }
}
