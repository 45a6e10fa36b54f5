import { getJoinRequests } from '@kelisim/domain/identity/confirmation-contract.ts'
import { getMyGroups } from '@kelisim/domain/identity/contract.ts'
import {
  getCard,
  getGroups,
  getInvitations,
  getMembers,
  getOrganizationEvents,
} from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'
import type { ListPosition } from '../../ui/list/list-search.ts'

/** The most join requests that are shown at once. */
const mostJoinRequests = 50

export function cardQuery(organizationId: string) {
  return query(getCard, { organizationId })
}

export function membersQuery(organizationId: string, { skip, take, name }: ListPosition) {
  return query(getMembers, { organizationId, skip, take, ...(name && { name }) })
}

export function groupsQuery(organizationId: string, { skip, take, name }: ListPosition) {
  return query(getGroups, { organizationId, skip, take, ...(name && { name }) })
}

export function invitationsQuery(organizationId: string, { skip, take }: ListPosition) {
  return query(getInvitations, { organizationId, skip, take })
}

export function joinRequestsQuery(organizationId: string) {
  return query(getJoinRequests, { organizationId, skip: 0, take: mostJoinRequests })
}

export function organizationEventsQuery(organizationId: string, { skip, take }: ListPosition) {
  return query(getOrganizationEvents, { organizationId, skip, take })
}

export function memberGroupsQuery({ skip, take }: ListPosition) {
  return query(getMyGroups, { skip, take })
}
