import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { query } from '../api/api.ts'

/** The bytes of documents never change, so neither does what differs between them. */
export function comparisonQuery(organizationId: string, before: string, after: string) {
  return { ...query(compareDocuments, { organizationId, before, after }), staleTime: Infinity }
}
