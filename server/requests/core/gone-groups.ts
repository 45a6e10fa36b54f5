/** For a group that was removed since its people signed the owners answer: a contract that nobody could end never ends. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'

export async function findOwnersAmong(db: Db, organizationIds: readonly string[]) {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.organizationId', 'u.id', 'u.fullName'])
    .where('m.organizationId', 'in', organizationIds)
    .where(sql<boolean>`m.roles & ${roles.of('Owner')} <> 0`)
    .orderBy('u.fullName')
    .orderBy('u.id')
    .execute()
  const owners = rows.map(({ organizationId, ...owner }) => ({ organizationId, owner }))
  const byOrganization = Map.groupBy(owners, ({ organizationId }) => organizationId)
  return new Map([...byOrganization].map(([id, all]) => [id, all.map(({ owner }) => owner)]))
}
