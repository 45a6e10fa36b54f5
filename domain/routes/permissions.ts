/** Who sees, changes and deletes routes and route templates (SPEC.md section 6). */
import { isOwner, mayEditRoutes } from '../identity/permissions.ts'
import { roles } from '../identity/roles.ts'
import type { Viewer } from '../points/point.ts'
import { kindOf, type PointType } from '../points/point-types.ts'
import type { VisibilityScope } from './route.ts'

type Owned = { authorId: string; scope: VisibilityScope }

/** Personal routes are their author's; owners answer for the organisation and see them all. */
export function maySeeRoute(viewer: Viewer, route: Owned): boolean {
  return route.scope === 'common' || route.authorId === viewer.userId || isOwner(viewer.roles)
}

export function mayEditRoute(viewer: Viewer, route: Owned): boolean {
  return mayEditRoutes(viewer.roles, viewer.options) && maySeeRoute(viewer, route)
}

/** Others may be working with a common route: only who made it or looks after routes takes it away. */
export function mayDeleteRoute(viewer: Viewer, route: Owned): boolean {
  return mayEditRoute(viewer, route) && (looksAfterRoutes(viewer) || route.authorId === viewer.userId)
}

export function looksAfterRoutes(viewer: Viewer): boolean {
  return isOwner(viewer.roles) || roles.has(viewer.roles, 'SignaturePointsRoutesAdministrator')
}

/** A point as seen by somebody who would put it into a route. */
export type Origin = Owned & {
  type: PointType
  organizationId: string
  /** The roles of the viewer in the organisation of the point; null: it is none of theirs. */
  rolesThere: number | null
}

/**
 * Whether a point may be spoken of to somebody who names it: a published one to anybody, a personal one where its author's
 * route is made, and what they see in another organisation of theirs so that they are told it is from there. What quick
 * sending made is in nobody's hands.
 */
export function isWithinReach(
  point: Origin,
  route: { organizationId: string; authorId: string },
  viewer: Pick<Viewer, 'userId'>,
): boolean {
  if (kindOf(point.type).isQuick) return false
  if (point.type === 'CounterParty') return true
  if (point.organizationId === route.organizationId) {
    return point.scope === 'common' || point.authorId === route.authorId
  }
  if (point.rolesThere === null) return false
  return point.scope === 'common' || point.authorId === viewer.userId || isOwner(point.rolesThere)
}
