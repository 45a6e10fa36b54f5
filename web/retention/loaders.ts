import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { actsQuery, retainedQuery, termsQuery } from './queries.ts'

export function loadRetention({ client, session, params, search }: PersonPageToLoad): void {
  const id = params.organizationId?.toLowerCase()
  if (id === undefined || !isOwner(session.rolesIn[id] ?? 0)) return
  void client.prefetchQuery(termsQuery(id))
  void client.prefetchQuery(actsQuery(id, 0))
  void client.prefetchQuery(retainedQuery(id, listPositionOf(search)))
}
