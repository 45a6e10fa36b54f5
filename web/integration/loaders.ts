import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { groupMappingQuery, tokensQuery, webhooksQuery } from './queries.ts'

export function loadIntegration({ client, session, params, search }: PersonPageToLoad): void {
  const id = params.organizationId?.toLowerCase()
  if (id === undefined || !isOwner(session.rolesIn[id] ?? 0)) return
  void client.prefetchQuery(tokensQuery(id, listPositionOf(search)))
  void client.prefetchQuery(webhooksQuery(id))
  void client.prefetchQuery(groupMappingQuery(id))
}
