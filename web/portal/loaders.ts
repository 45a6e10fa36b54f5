import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import {
  cardQuery,
  groupsQuery,
  invitationsQuery,
  joinRequestsQuery,
  memberGroupsQuery,
  membersQuery,
  organizationEventsQuery,
} from './shared/queries.ts'

export function loadMyGroups({ client, search }: PersonPageToLoad): void {
  void client.prefetchQuery(memberGroupsQuery(listPositionOf(search)))
}

export function loadCard(page: PersonPageToLoad): void {
  const found = organizationOf(page)
  if (found) void page.client.prefetchQuery(cardQuery(found.id))
}

export function loadMembers(page: PersonPageToLoad): void {
  const found = organizationOf(page)
  if (found) void page.client.prefetchQuery(membersQuery(found.id, listPositionOf(page.search)))
}

export function loadGroups(page: PersonPageToLoad): void {
  const found = organizationOf(page)
  if (found) void page.client.prefetchQuery(groupsQuery(found.id, listPositionOf(page.search)))
}

export function loadInvitations(page: PersonPageToLoad): void {
  const found = organizationOf(page)
  if (!found?.isOwner) return
  void page.client.prefetchQuery(invitationsQuery(found.id, listPositionOf(page.search)))
  void page.client.prefetchQuery(joinRequestsQuery(found.id))
}

export function loadHistory(page: PersonPageToLoad): void {
  const found = organizationOf(page)
  if (!found?.isOwner) return
  void page.client.prefetchQuery(organizationEventsQuery(found.id, listPositionOf(page.search)))
}

/** The organisation named by the address, if the person belongs to it. */
function organizationOf({ session, params }: PersonPageToLoad) {
  const id = params.organizationId?.toLowerCase()
  const found = session.organizations.find((organization) => organization.Id === id)
  return found && { id: found.Id, isOwner: isOwner(session.rolesIn[found.Id] ?? 0) }
}
