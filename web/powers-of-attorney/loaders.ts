import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { powersQuery } from './queries.ts'

export function loadPowers({ client, session, params, search }: PersonPageToLoad): void {
  const id = params.organizationId?.toLowerCase()
  if (id === undefined || !isOwner(session.rolesIn[id] ?? 0)) return
  void client.prefetchQuery(powersQuery(id, listPositionOf(search)))
}
