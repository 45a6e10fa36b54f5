/** The data of routes that lists and pages show, and the values of the route form. */
import type * as z from 'zod/mini'
import { pointTypes, actOf, type PointAct, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { Route, RouteKind, RouteLine } from '@kelisim/domain/routes/contract.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { visibilityOf, visibilityScopes } from '@kelisim/domain/visibility.ts'
import { editorPoint, type EditorPoint } from './editor-point.ts'
import { pointsOf, stepsOf, type Steps } from './steps.ts'

export type RouteView = z.output<typeof Route>
export type RouteRow = z.output<typeof RouteLine>
/** The visibility of a route in the form of the API. */
export type WireScope = RouteRow['visibilityScope']

export const addresses: Record<RouteKind, '/signaturePointsRoutes' | '/signaturePointsRouteTemplates'> = {
  route: '/signaturePointsRoutes',
  template: '/signaturePointsRouteTemplates',
}

/** The acts of a step, each once, in a fixed order. */
export function actsOf(types: readonly PointType[]): PointAct[] {
  const done = new Set(types.map(actOf))
  return (['approve', 'sign', 'confirm', 'inform'] as const).filter((act) => done.has(act))
}

export function actsInRoute({ routeType }: RouteRow): PointAct[] {
  return actsOf(pointTypes.list(routeType))
}

export function scopeNameOf(visibilityScope: number): VisibilityScope {
  return visibilityOf(visibilityScope) === 'public' ? 'common' : 'personal'
}

export type RouteValues = {
  name: string
  description: string
  visibilityScope: WireScope
  steps: Steps<EditorPoint>
  /** The version on which the changes are based, even if a newer one was loaded since; null for a new route. */
  seenVersion: number | null
}

export const newRoute: RouteValues = {
  name: '',
  description: '',
  visibilityScope: visibilityScopes.members.Public,
  steps: [],
  seenVersion: null,
}

export function valuesOf(route: RouteView, organizationId: string): RouteValues {
  const { name, description, visibilityScope, points, currentVersion } = route
  const known = points.map((point) => ({ ...editorPoint(point, organizationId), order: point.order }))
  return { name, description, visibilityScope, steps: stepsOf(known), seenVersion: currentVersion }
}

export function inputOf({ steps, seenVersion, ...fields }: RouteValues) {
  return {
    ...fields,
    points: pointsOf(steps).map(({ pointId, order, condition, termDays, escalation }) => ({
      pointId,
      order,
      condition,
      termDays,
      escalation: escalation && { kind: escalation.kind, id: escalation.id, mayAct: escalation.mayAct },
    })),
    ...(seenVersion !== null && { currentVersion: seenVersion }),
  }
}
