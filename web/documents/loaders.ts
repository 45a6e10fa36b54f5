import { documentPaths } from '@kelisim/domain/documents/contract.ts'
import { isOwnerOf, type MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { usesQuery } from '../uses/queries.ts'
import { documentQuery, documentsQuery } from './queries.ts'

/** Loads a list, or a document if the address holds only its id. */
export function loadDocuments(page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = documentPaths.find((one) => one === params.path?.toLowerCase())
  if (!path) return loadDocument(page)
  if (path === 'organization' && !isOwnerOf(page)) return
  void client.prefetchQuery(documentsQuery(organization.Id, path, listPositionOf(search)))
}

export function loadDocument({ client, organization, params }: MemberPageToLoad): void {
  const documentId = idOf(params.id ?? params.path)
  if (!documentId) return
  void client.prefetchQuery(documentQuery(organization.Id, documentId))
  void client.prefetchQuery(usesQuery(organization.Id, 'document', documentId))
}
