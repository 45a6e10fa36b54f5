import { getToday } from '@kelisim/domain/today/contract.ts'
import { query } from '../api/api.ts'

export function todayQuery(organizationId: string) {
  return query(getToday, { organizationId })
}
