import { getDocumentKinds } from '@kelisim/domain/registers/contract.ts'
import {
  getRetainedDocuments,
  getRetentionTerms,
  type RetainedDocument,
} from '@kelisim/domain/retention/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type Retained = z.output<typeof RetainedDocument>

export function termsQuery(organizationId: string) {
  return query(getRetentionTerms, { organizationId })
}

export function kindsOfTermsQuery(organizationId: string) {
  return query(getDocumentKinds, { organizationId })
}

export function retainedQuery(organizationId: string, { skip, take, name }: ListPosition) {
  return query(getRetainedDocuments, { organizationId, skip, take, ...(name && { name }) })
}
