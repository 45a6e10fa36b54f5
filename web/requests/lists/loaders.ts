import { second } from '@kelisim/domain/durations.ts'
import { requestPaths } from '@kelisim/domain/requests/list-contract.ts'
import { isOwnerOf, type MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { listPositionOf } from '../../ui/list/list-search.ts'
import { filtersOf, shownFilters } from './list-filters.ts'
import { requestsQuery, waitingCountQuery } from './queries.ts'

export function loadRequests(page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = requestPaths.find((one) => one === params.route?.toLowerCase())
  if (!path) return
  const counting = client.fetchQuery({ ...waitingCountQuery(organization.Id), staleTime: second })
  const filters = filtersOf(search, path, isOwnerOf(page))
  void counting
    .then(({ count }) => {
      const shown = shownFilters(filters, { path, search, waiting: count })
      return client.prefetchQuery(requestsQuery(organization.Id, path, shown, listPositionOf(search)))
    })
    // The page repeats the call and shows the error.
    .catch(() => {})
}
