import {
  countWaiting,
  defaultRequestSort,
  getRequests,
  requestSorts,
  type RequestPath,
} from '@kelisim/domain/requests/list-contract.ts'
import { query } from '../../api/api.ts'
import type { ListPosition } from '../../ui/list/list-search.ts'
import type { Filters } from './list-filters.ts'

export function requestsQuery(
  organizationId: string,
  route: RequestPath,
  filters: Filters,
  { skip, take, name, sort: wanted }: ListPosition,
) {
  return query(getRequests, {
    organizationId,
    route,
    skip,
    take,
    sort: requestSorts.find((one) => one === wanted) ?? defaultRequestSort,
    ...filters,
    ...(name && { name }),
  })
}

/** How many requests wait for the signed-in person. */
export function waitingCountQuery(organizationId: string) {
  return query(countWaiting, { organizationId })
}
