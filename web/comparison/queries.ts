import { compareDocuments } from '@kelisim/domain/comparison/contract.ts'
import { query } from '../api/api.ts'

/** Never stale: the bytes of documents never change, so their differences do not either. */
export function comparisonQuery(organizationId: string, before: string, after: string) {
  return { ...query(compareDocuments, { organizationId, before, after }), staleTime: Infinity }
}
