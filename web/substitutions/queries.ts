import { getSubstitutions } from '@kelisim/domain/substitutions/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function substitutionsQuery(organizationId: string, { skip, take }: ListPosition) {
  return query(getSubstitutions, { organizationId, skip, take })
}
