import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { entriesQuery, journalsQuery, kindsQuery } from './queries.ts'

export function loadJournals({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(journalsQuery(organization.Id))
}

/** Loads the entries at the same time as the journals, because the address already names the journal. */
export function loadEntries(page: MemberPageToLoad): void {
  loadJournals(page)
  const { client, organization, params, search } = page
  const journalId = idOf(params.id)
  if (!journalId) return
  const key = { organizationId: organization.Id, journalId }
  void client.prefetchQuery(entriesQuery(key, listPositionOf(search), undefined))
}

export function loadKinds({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(kindsQuery(organization.Id))
  void client.prefetchQuery(journalsQuery(organization.Id))
}
