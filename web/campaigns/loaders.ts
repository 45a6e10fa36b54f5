import { documentQuery } from '../documents/queries.ts'
import { isOwnerOf, type MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { audienceGroupsQuery, campaignQuery, campaignsQuery } from './queries.ts'

export function loadCampaigns(page: MemberPageToLoad): void {
  if (!isOwnerOf(page)) return
  void page.client.prefetchQuery(campaignsQuery(page.organization.Id, listPositionOf(page.search)))
}

export function loadAddCampaign(page: MemberPageToLoad): void {
  if (!isOwnerOf(page)) return
  void page.client.prefetchQuery(audienceGroupsQuery(page.organization.Id))
  const documentId = idOf(page.params.id)
  if (documentId) void page.client.prefetchQuery(documentQuery(page.organization.Id, documentId))
}

export function loadCampaign(page: MemberPageToLoad): void {
  const signingRequestId = idOf(page.params.id)
  if (!signingRequestId || !isOwnerOf(page)) return
  void page.client.prefetchQuery(campaignQuery({ organizationId: page.organization.Id, signingRequestId }))
}
