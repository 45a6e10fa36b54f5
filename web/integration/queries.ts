import { getGroupMapping } from '@kelisim/domain/directory/mapping-contract.ts'
import { getTokens } from '@kelisim/domain/integration/contract.ts'
import { getWebhooks } from '@kelisim/domain/integration/webhook-contract.ts'
import { getMembers } from '@kelisim/domain/portal/contract.ts'
import { query } from '../api/api.ts'
import type { ListPosition } from '../ui/list/list-search.ts'

export function tokensQuery(organizationId: string, { skip, take, name }: ListPosition) {
  return query(getTokens, { organizationId, skip, take, ...(name && { name }) })
}

export function groupMappingQuery(organizationId: string) {
  return query(getGroupMapping, { organizationId })
}

export function webhooksQuery(organizationId: string) {
  return query(getWebhooks, { organizationId })
}

export function membersNamed(organizationId: string, name: string, take: number) {
  return query(getMembers, { organizationId, skip: 0, take, ...(name && { name }) })
}
