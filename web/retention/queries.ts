import {
  getActDocuments,
  getDestructionActs,
  type DestructionAct,
} from '@kelisim/domain/retention/destruction-contract.ts'
import {
  getRetainedDocuments,
  getRetentionTerms,
  type RetainedDocument,
} from '@kelisim/domain/retention/contract.ts'
import type * as z from 'zod/mini'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export type Act = z.output<typeof DestructionAct>

export const actsOnPage = 20

export function actsQuery(organizationId: string, skip: number) {
  return query(getDestructionActs, { organizationId, skip, take: actsOnPage })
}

export function actDocumentsQuery(organizationId: string, actId: string) {
  return query(getActDocuments, { organizationId, actId })
}

export type Retained = z.output<typeof RetainedDocument>

export function termsQuery(organizationId: string) {
  return query(getRetentionTerms, { organizationId })
}

export function retainedQuery(
  organizationId: string,
  { skip, take, name }: ListPosition,
  isReceived = false,
) {
  return query(getRetainedDocuments, {
    organizationId,
    skip,
    take,
    ...(name && { name }),
    ...(isReceived && { isReceived: 'true' }),
  })
}
