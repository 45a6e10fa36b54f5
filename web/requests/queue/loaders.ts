import type { MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { queueQuery } from './queries.ts'

export function loadQueue({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(queueQuery(organization.Id))
}
