import { myGroupsQuery } from '../options/shared/queries.ts'
import { kindsQuery } from '../registers/queries.ts'
import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { bulkQuery, bulksQuery, bulkTemplatesQuery } from './queries.ts'

export function loadBulks({ client, organization, search }: MemberPageToLoad): void {
  void client.prefetchQuery(bulksQuery(organization.Id, listPositionOf(search)))
}

export function loadBulk({ client, organization, params }: MemberPageToLoad): void {
  const bulkId = idOf(params.id)
  if (!bulkId) return
  void client.prefetchQuery(bulkQuery({ organizationId: organization.Id, bulkId }))
  void client.prefetchQuery(bulkTemplatesQuery(organization.Id))
  void client.prefetchQuery(myGroupsQuery(organization.Id))
  void client.prefetchQuery(kindsQuery(organization.Id))
}
