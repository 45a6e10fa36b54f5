import { documentChoicesQuery, documentQuery } from '../../documents/queries.ts'
import { myGroupsQuery, userOptionsQuery } from '../../options/shared/queries.ts'
import { kindsQuery } from '../../registers/queries.ts'
import type { MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { idOf } from '../../ui/browser/address.ts'
import { requestQuery } from '../shared/queries.ts'
import { membersCountQuery, routeChoicesQuery, sendingAgainQuery } from './queries.ts'

export function loadSending(page: MemberPageToLoad): void {
  loadDocumentToSend(page)
  void page.client.prefetchQuery(routeChoicesQuery(page.organization.Id))
  void page.client.prefetchQuery(kindsQuery(page.organization.Id))
}

export function loadQuickSending(page: MemberPageToLoad): void {
  const { client, organization } = page
  loadDocumentToSend(page)
  void client.prefetchQuery(myGroupsQuery(organization.Id))
  void client.prefetchQuery(userOptionsQuery(organization.Id))
  void client.prefetchQuery(membersCountQuery(organization.Id))
  void client.prefetchQuery(kindsQuery(organization.Id))
}

/** Loads the request that is sent again, or the document named by the address, or the documents to choose from. */
function loadDocumentToSend({ client, organization, params, search }: MemberPageToLoad): void {
  const followsId = idOf(search.follows)
  if (followsId) {
    void client.prefetchQuery(sendingAgainQuery(organization.Id, followsId))
    void client.prefetchQuery(requestQuery({ organizationId: organization.Id, signingRequestId: followsId }))
    return
  }
  const documentId = idOf(params.id)
  if (documentId) {
    void client.prefetchQuery(documentQuery(organization.Id, documentId))
    return
  }
  void client.prefetchQuery(documentChoicesQuery(organization.Id, 'my'))
  void client.prefetchQuery(documentChoicesQuery(organization.Id, 'public'))
}
