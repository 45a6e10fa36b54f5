import { getUserOptions } from '@kelisim/domain/options/contract.ts'
import { getGroups } from '@kelisim/domain/portal/contract.ts'
import { query } from '../../api/api.ts'

/** The most that the server returns at once; nobody is a member of more groups. */
const mostGroups = 100

/** The groups of the signed-in person, for which they may sign. */
export function myGroupsQuery(organizationId: string) {
  return query(getGroups, { organizationId, skip: 0, take: mostGroups, mine: 'true' })
}

export function userOptionsQuery(organizationId: string) {
  return query(getUserOptions, { organizationId })
}
