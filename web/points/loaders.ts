import { isOwnerOf, type MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { usesQuery } from '../uses/queries.ts'
import { pointQuery, pointsPathOf, pointsQuery } from './queries.ts'

/** Loads a list, or a point if the address holds only its id. */
export function loadPoints(page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = pointsPathOf(params.path)
  if (!path) return loadPoint(page)
  if (path === 'organization' && !isOwnerOf(page)) return
  void client.prefetchQuery(pointsQuery(organization.Id, path, listPositionOf(search)))
}

export function loadPoint({ client, organization, params }: MemberPageToLoad): void {
  const pointId = idOf(params.id ?? params.path)
  if (!pointId) return
  void client.prefetchQuery(pointQuery(organization.Id, pointId))
  void client.prefetchQuery(usesQuery(organization.Id, 'point', pointId))
}
