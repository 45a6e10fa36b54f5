import { requestPaths } from '@kelisim/domain/requests/list-contract.ts'
import { isOwnerOf, type MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { listPositionOf } from '../../ui/list/list-search.ts'
import { filtersOf } from './list-filters.ts'
import { requestsQuery, waitingCountQuery } from './queries.ts'

export function loadRequests(page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = requestPaths.find((one) => one === params.route?.toLowerCase())
  if (!path) return
  const filters = filtersOf(search, path, isOwnerOf(page))
  void client.prefetchQuery(requestsQuery(organization.Id, path, filters, listPositionOf(search)))
  void client.prefetchQuery(waitingCountQuery(organization.Id))
}
