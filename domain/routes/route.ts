/**
 * Routes: points in order. Points of one order act in parallel; the next order begins when all of the current one are
 * done. Orders need not be contiguous.
 */
import { pointTypes, sideOf, type PointType } from '../points/point-types.ts'
import { sameEscalation, type EscalationTo } from '../requests/deadlines/escalation.ts'
import { sameCondition, type Condition } from './condition.ts'

export type VisibilityScope = 'personal' | 'common'

export type RoutePoint = {
  pointId: string
  /** Above 0. */
  order: number
  type: PointType
  scope: VisibilityScope
  isActive: boolean
  /** The organisation of the point: that of the route, or the counterparty. */
  organizationId: string
}

export type RouteDraft = {
  organizationId: string
  scope: VisibilityScope
  points: readonly RoutePoint[]
}

export type RouteFault =
  /** Выберите точку подписания. */
  | 'no-signing-point'
  | 'order-not-positive'
  | 'private_point_in_public_route'
  | 'internal_point_not_belong_to_organization'
  | 'counter_party_targets_creator_organization'
  | 'inactive-point'

/** All faults that prevent saving or sending, each once with its points. */
export function routeFaults({
  organizationId,
  scope,
  points,
}: RouteDraft): { fault: RouteFault; pointIds: string[] }[] {
  const found = (fault: RouteFault, isWrong: (point: RoutePoint) => boolean) => {
    const pointIds = points.filter(isWrong).map(({ pointId }) => pointId)
    return pointIds.length > 0 ? [{ fault, pointIds }] : []
  }
  return [
    ...(points.length === 0 ? [{ fault: 'no-signing-point' as const, pointIds: [] }] : []),
    ...found('order-not-positive', ({ order }) => !Number.isInteger(order) || order < 1),
    ...found('private_point_in_public_route', (point) => scope === 'common' && point.scope === 'personal'),
    ...found(
      'internal_point_not_belong_to_organization',
      (point) => sideOf(point.type) !== 'counterParty' && point.organizationId !== organizationId,
    ),
    ...found(
      'counter_party_targets_creator_organization',
      (point) => sideOf(point.type) === 'counterParty' && point.organizationId === organizationId,
    ),
    ...found('inactive-point', ({ isActive }) => !isActive),
  ]
}

/** Removes repeated points, which a route has only once; the earlier order counts. */
export function withoutRepeats<P extends { pointId: string; order: number }>(points: readonly P[]): P[] {
  const first = new Map<string, P>()
  for (const point of points.toSorted((one, other) => one.order - other.order)) {
    if (!first.has(point.pointId)) first.set(point.pointId, point)
  }
  return [...first.values()]
}

/** The points that would have to be removed if the route becomes common. */
export function personalPoints<P extends { scope: VisibilityScope }>(points: readonly P[]): P[] {
  return points.filter(({ scope }) => scope === 'personal')
}

/** The turns in order, each with its parallel points. */
export function turnsOf<P extends { order: number }>(points: readonly P[]): { order: number; points: P[] }[] {
  const byOrder = Map.groupBy(points, ({ order }) => order)
  return [...byOrder]
    .map(([order, together]) => ({ order, points: together }))
    .toSorted((one, other) => one.order - other.order)
}

/** Renumbers the orders to 1, 2, 3 …, as the editor shows them. */
export function renumbered<P extends { order: number }>(points: readonly P[]): P[] {
  return turnsOf(points).flatMap((turn, i) => turn.points.map((point) => ({ ...point, order: i + 1 })))
}

/** The routeType of the API: the types of its points. */
export function routeTypeOf(points: readonly { type: PointType }[]): number {
  return pointTypes.of(...points.map(({ type }) => type))
}

export type PointChange = { pointId: string } & (
  | { change: 'added' | 'removed'; order: number }
  | { change: 'moved'; from: number; to: number }
  | { change: 'condition'; before: Condition | null; after: Condition | null }
  | { change: 'term'; before: number | null; after: number | null }
  | { change: 'escalation' }
)

type VersionPoint = {
  pointId: string
  order: number
  condition?: Condition | null
  termDays?: number | null
  escalation?: EscalationTo | null
}

/** The differences between the edited route and the saved one. */
export function changesBetween(
  before: readonly VersionPoint[],
  after: readonly VersionPoint[],
): PointChange[] {
  const old = new Map(before.map((point) => [point.pointId, point]))
  const now = new Map(after.map((point) => [point.pointId, point]))
  return [
    ...[...old].flatMap(([pointId, { order }]) =>
      now.has(pointId) ? [] : [{ pointId, change: 'removed' as const, order }],
    ),
    ...[...now].flatMap(
      ([pointId, { order, condition = null, termDays = null, escalation = null }]): PointChange[] => {
        const was = old.get(pointId)
        if (was === undefined) return [{ pointId, change: 'added', order }]
        const before = was.condition ?? null
        return [
          ...(was.order === order ? [] : [{ pointId, change: 'moved' as const, from: was.order, to: order }]),
          ...(sameCondition(before, condition)
            ? []
            : [{ pointId, change: 'condition' as const, before, after: condition }]),
          ...((was.termDays ?? null) === termDays
            ? []
            : [{ pointId, change: 'term' as const, before: was.termDays ?? null, after: termDays }]),
          ...(sameEscalation(was.escalation ?? null, escalation)
            ? []
            : [{ pointId, change: 'escalation' as const }]),
        ]
      },
    ),
  ]
}
