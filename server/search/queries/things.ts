/** Loads the found things as they are now. */
import type { Db } from '@kelisim/db/db.ts'

export type FoundPerson = { id: string; fullName: string; email: string; login: string; joinedAt: Date }

export function findPeopleAmong(
  db: Db,
  organizationId: string,
  userIds: readonly string[],
): Promise<FoundPerson[]> {
  if (userIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['u.id', 'u.fullName', 'u.email', 'u.login', 'm.joinedAt'])
    .where('m.organizationId', '=', organizationId)
    .where('u.id', 'in', userIds)
    .execute()
}
