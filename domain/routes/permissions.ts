/** Who sees, changes and deletes routes and route templates (docs/product/identity-and-organisations.md). */
import { isOwner, mayEditRoutes } from '../identity/permissions.ts'
import { roles } from '../identity/roles.ts'
import type { Viewer } from '../points/point.ts'
import { kindOf, type PointType } from '../points/point-types.ts'
import type { VisibilityScope } from './route.ts'

type Owned = { authorId: string; scope: VisibilityScope }

/** Personal routes are visible to their author and to owners. */
export function maySeeRoute(viewer: Viewer, route: Owned): boolean {
  return route.scope === 'common' || route.authorId === viewer.userId || isOwner(viewer.roles)
}

export function mayEditRoute(viewer: Viewer, route: Owned): boolean {
  return mayEditRoutes(viewer.roles, viewer.options) && maySeeRoute(viewer, route)
}

/** Others may use a common route, so only its author and administrators of routes may delete it. */
export function mayDeleteRoute(viewer: Viewer, route: Owned): boolean {
  return mayEditRoute(viewer, route) && (looksAfterRoutes(viewer) || route.authorId === viewer.userId)
}

export function looksAfterRoutes(viewer: Viewer): boolean {
  return isOwner(viewer.roles) || roles.has(viewer.roles, 'SignaturePointsRoutesAdministrator')
}

/** A point that somebody wants to add to a route. */
export type Origin = Owned & {
  type: PointType
  organizationId: string
  /** The roles of the viewer in the organisation of the point; null if they are no member. */
  rolesThere: number | null
}

/**
 * Whether a person who names a point may know that it exists: a published point always; a personal one in a route of
 * its author; a point of another organisation if they see it there as a member; points of quick sending never.
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
