import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { journalsQuery, kindsQuery } from './queries.ts'

export function loadJournals({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(journalsQuery(organization.Id))
}

export function loadKinds({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(kindsQuery(organization.Id))
  void client.prefetchQuery(journalsQuery(organization.Id))
}
