import { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'

const mostRoutes = 20

/** The earlier input of a request that ended without an agreement, for sending it again. */
export function sendingAgainQuery(organizationId: string, signingRequestId: string) {
  return { ...query(getSendingAgain, { organizationId, signingRequestId }), staleTime: 0 }
}

/** How many people the organisation has; who they are does not matter here. */
export function membersCountQuery(organizationId: string) {
  return query(getMembers, { organizationId, skip: 0, take: 1 })
}

/** Routes to choose from, filtered by the name if one is given. */
export function routeChoicesQuery(organizationId: string, name = '') {
  return query(routeCalls.list, {
    organizationId,
    skip: 0,
    take: mostRoutes,
    isActive: 'true',
    sort: 'name',
    ...(name && { name }),
  })
}
