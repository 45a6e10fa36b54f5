/** Who sees, changes and deletes routes and route templates (SPEC.md section 6). */
import { isOwner, mayEditRoutes } from '../identity/permissions.ts'
import { roles } from '../identity/roles.ts'
import type { Viewer } from '../points/point.ts'
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

/** Where a point is from, as seen by somebody who puts it into a route. */
export type Origin = {
  type: 'CounterParty' | 'other'
  organizationId: string
  authorId: string
  scope: VisibilityScope
  /** The roles of the viewer in the organisation of the point; null: none of theirs. */
  rolesThere: number | null
}

/**
 * Whether a point can be looked at as one that may stand in the route of that author. A personal one serves its author
 * alone; a published one anybody; what is seen in another organisation of one's own is said to be from there.
 */
export function isWithinReach(
  point: Origin,
  route: { organizationId: string; authorId: string },
  viewer: Viewer,
) {
  if (point.type === 'CounterParty') return true
  if (point.organizationId === route.organizationId) {
    return point.scope === 'common' || point.authorId === route.authorId
  }
  if (point.rolesThere === null) return false
  return point.scope === 'common' || point.authorId === viewer.userId || isOwner(point.rolesThere)
}
