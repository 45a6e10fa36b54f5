import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { todayQuery } from './queries.ts'

export function loadToday({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(todayQuery(organization.Id))
}
