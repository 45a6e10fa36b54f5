import { getUserOptions } from '@kelisim/domain/options/contract.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'

/** The most groups that the server returns at once; people are not in more groups than that. */
const mostGroups = 100

/** The groups of the signed-in person, for which they may sign. */
export function myGroupsQuery(organizationId: string) {
  return query(getGroups, { organizationId, skip: 0, take: mostGroups, mine: 'true' })
}

export function userOptionsQuery(organizationId: string) {
  return query(getUserOptions, { organizationId })
}
