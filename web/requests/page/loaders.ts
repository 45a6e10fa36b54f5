import { threadsQuery } from '../../comments/queries.ts'
import type { MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { idOf } from '../../ui/browser/address.ts'
import { requestQuery } from '../shared/queries.ts'

export function loadRequest({ client, organization, params }: MemberPageToLoad): void {
  const signingRequestId = idOf(params.id ?? params.route)
  if (!signingRequestId) return
  const key = { organizationId: organization.Id, signingRequestId }
  void client.prefetchQuery(requestQuery(key))
  void client.prefetchInfiniteQuery(threadsQuery(key))
}
