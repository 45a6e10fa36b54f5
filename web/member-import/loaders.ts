import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { importQuery } from './queries.ts'

export function loadImport({ client, session, params }: PersonPageToLoad): void {
  const id = params.organizationId?.toLowerCase()
  if (id === undefined || !isOwner(session.rolesIn[id] ?? 0)) return
  void client.prefetchQuery(importQuery(id))
}
