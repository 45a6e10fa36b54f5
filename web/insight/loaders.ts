import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { firstQuestion, pageLength, waitsQuery } from './queries.ts'

export function loadInsight({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(waitsQuery(organization.Id, firstQuestion, 0, pageLength))
}
