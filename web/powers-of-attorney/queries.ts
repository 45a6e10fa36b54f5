import { getPowerDocuments, getPowers } from '@kelisim/domain/powers-of-attorney/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function powersQuery(organizationId: string, { skip, take, name }: ListPosition) {
  return query(getPowers, { organizationId, skip, take, ...(name && { name }) })
}

export function powerDocumentsQuery(organizationId: string, name: string, take: number) {
  return query(getPowerDocuments, { organizationId, skip: 0, take, ...(name && { name }) })
}
