import {
  defaultDocumentSort,
  documentSorts,
  getDocument,
  getDocuments,
  type DocumentPath,
} from '@kelisim/domain/documents/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function documentsQuery(
  organizationId: string,
  path: DocumentPath,
  { skip, take, name, sort: wanted }: ListPosition,
) {
  const sort = documentSorts.find((one) => one === wanted) ?? defaultDocumentSort
  return query(getDocuments, { organizationId, skip, take, path, sort, ...(name && { name }) })
}

export function documentQuery(organizationId: string, documentId: string) {
  return query(getDocument, { organizationId, documentId })
}

const mostChoices = 10

/** Documents to choose from, filtered by the name if one is given. */
export function documentChoicesQuery(organizationId: string, path: 'my' | 'public', name = '') {
  return query(getDocuments, { organizationId, skip: 0, take: mostChoices, path, ...(name && { name }) })
}
