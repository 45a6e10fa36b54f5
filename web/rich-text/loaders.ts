import { templatePaths } from '@kelisim/domain/rich-text/contract.ts'
import { documentQuery } from '../documents/queries.ts'
import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { templateQuery, templatesQuery, writtenTextQuery } from './queries.ts'

/** Loads a list, or a template if the address holds only its id. */
export function loadTemplates(page: MemberPageToLoad): void {
  const { client, organization, params, search } = page
  const path = templatePaths.find((one) => one === (params.path ?? 'all').toLowerCase())
  if (!path) return loadTemplate(page)
  void client.prefetchQuery(templatesQuery(organization.Id, path, listPositionOf(search)))
}

export function loadTemplate({ client, organization, params }: MemberPageToLoad): void {
  const templateId = idOf(params.id ?? params.path)
  if (templateId) void client.prefetchQuery(templateQuery(organization.Id, templateId))
}

/** Loads the text and the name of a document from which another one is written. */
export function loadRewriting({ client, organization, params }: MemberPageToLoad): void {
  const documentId = idOf(params.id)
  if (!documentId) return
  void client.prefetchQuery(writtenTextQuery(organization.Id, documentId))
  void client.prefetchQuery(documentQuery(organization.Id, documentId))
}
