import { keepPreviousData } from '@tanstack/react-query'
import { tryRequest } from '@kelisim/domain/requests/contract.ts'
import { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { routeCalls } from '@kelisim/domain/routes/contract.ts'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'
import type { factsOf } from './route-facts.tsx'

const mostRoutes = 20

/** The earlier input of a request that ended without an agreement, for sending it again. */
export function sendingAgainQuery(organizationId: string, signingRequestId: string) {
  return { ...query(getSendingAgain, { organizationId, signingRequestId }), staleTime: 0 }
}

/** The pause in typing after which a trial is repeated, in milliseconds. */
export const trialDelay = 300

/** Tries to send a document along a route: what refuses it, and who would receive what. */
export function trialQuery(
  organizationId: string,
  sending: { documentId: string; routeId: string; kindId: string; facts: ReturnType<typeof factsOf> },
) {
  const { documentId, routeId, kindId, facts } = sending
  return {
    ...query(tryRequest, { organizationId, documentId, routeId, ...(kindId && { kindId }), facts }),
    placeholderData: keepPreviousData,
    // Always reloaded, because groups, recipients and the tariff change independently.
    staleTime: 0,
  }
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
