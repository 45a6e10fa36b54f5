import { roles } from '@kelisim/domain/identity/roles.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import { callsByKind, defaultRouteSort, routeSorts, type RouteKind } from '@kelisim/domain/routes/contract.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

/** The filter by which the server selects each list. */
const lists = {
  my: { ownScope: listOwners.members.My },
  public: { visibilityScope: visibilityScopes.members.Public },
  organization: { userRole: roles.members.Owner },
} as const

export type RoutesPath = keyof typeof lists

const paths = Object.keys(lists) as RoutesPath[]

export function routesPathOf(part: string | undefined): RoutesPath | undefined {
  return paths.find((path) => path === part?.toLowerCase())
}

export function routesQuery(
  kind: RouteKind,
  organizationId: string,
  path: RoutesPath,
  { skip, take, name, sort: wanted }: ListPosition,
) {
  return query(callsByKind[kind].list, {
    organizationId,
    skip,
    take,
    sort: routeSorts.find((one) => one === wanted) ?? defaultRouteSort,
    ...lists[path],
    ...(name && { name }),
  })
}

export function routeQuery(kind: RouteKind, organizationId: string, routeId: string) {
  return query(callsByKind[kind].get, { organizationId, routeId })
}
