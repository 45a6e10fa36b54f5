import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { isOwnerOf, type MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { usesQuery } from '../uses/queries.ts'
import { routeQuery, routesPathOf, routesQuery } from './queries.ts'

export function loadRoutes(page: MemberPageToLoad): void {
  loadList('route', page)
}

export function loadRouteTemplates(page: MemberPageToLoad): void {
  loadList('template', page)
}

export function loadRoute(page: MemberPageToLoad): void {
  loadOne('route', page)
}

export function loadRouteTemplate(page: MemberPageToLoad): void {
  loadOne('template', page)
}

/** Loads a list, or a route if the address holds only its id. */
function loadList(kind: RouteKind, page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = routesPathOf(params.path)
  if (!path) return loadOne(kind, page)
  if (path === 'organization' && !isOwnerOf(page)) return
  void client.prefetchQuery(routesQuery(kind, organization.Id, path, listPositionOf(search)))
}

function loadOne(kind: RouteKind, { client, organization, params }: MemberPageToLoad): void {
  const routeId = idOf(params.id ?? params.path)
  if (!routeId) return
  void client.prefetchQuery(routeQuery(kind, organization.Id, routeId))
  const used = kind === 'template' ? 'routeTemplate' : 'route'
  void client.prefetchQuery(usesQuery(organization.Id, used, routeId))
}
