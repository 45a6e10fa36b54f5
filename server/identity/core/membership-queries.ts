/** Who belongs to an organisation, and with which roles. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type MemberFacts = {
  fullName: string
  email: string
  language: Language
  roles: number
  isAppointed: boolean
}

export async function findMember(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<MemberFacts | undefined> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['u.fullName', 'u.email', 'u.language', 'm.roles', 'm.isAppointed'])
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .executeTakeFirst()
}

export async function findOwners(db: Db, organizationId: string): Promise<string[]> {
  const owners = await db
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where((eb) => eb(sql<number>`roles & ${roles.of('Owner')}`, '>', 0))
    .execute()
  return owners.map((owner) => owner.userId)
}

/** Serialises changes of ownership, so that two owners cannot demote each other at the same time. */
export async function lockOwners(tx: Tx, organizationId: string): Promise<string[]> {
  await lockOrganization(tx, organizationId)
  return findOwners(tx, organizationId)
}

/** Serialises transactions that count or change what belongs to the organisation as a whole. */
export async function lockOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute()
}

/** The members of the organisation, this many at most. */
export async function findFirstMembers(db: Db, organizationId: string, most: number): Promise<string[]> {
  const members = await db
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .limit(most)
    .execute()
  return members.map(({ userId }) => userId)
}

/** A condition on memberships `m`: the member acts on what comes to the number of the organisation. */
export const receivesIncoming = sql<boolean>`(m.is_appointed or m.roles & ${roles.of('Owner')} <> 0)`

export async function endAppointments(tx: Tx, organizationId: string): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ isAppointed: false })
    .where('organizationId', '=', organizationId)
    .where('isAppointed', '=', true)
    .execute()
}

export async function saveRoles(
  tx: Tx,
  organizationId: string,
  userId: string,
  { roles: mask, isAppointed }: { roles: number; isAppointed: boolean },
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ roles: mask, isAppointed })
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
}
