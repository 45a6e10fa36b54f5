/** People who are notified about requests. */
import type { Db } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'

type Membership = { organizationId: string; userId: string }

/** Which of these people are members of these organisations, and how to reach them. */
export function findMembersAmong(db: Db, organizationIds: readonly string[], userIds: readonly string[]) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.organizationId', 'm.userId', 'm.roles', 'u.email', 'u.isEmailConfirmed', 'u.language'])
    .where('m.organizationId', 'in', organizationIds)
    .where('m.userId', 'in', userIds)
    .execute()
}

/** Today's substitutes of these people. */
export function findSubstitutes(
  db: Db,
  organizationIds: readonly string[],
  absentIds: readonly string[],
  now: Date,
) {
  const today = dateInAlmaty(now)
  return db
    .selectFrom('substitutions')
    .select(['organizationId', 'absentId', 'substituteId'])
    .where('organizationId', 'in', organizationIds)
    .where('absentId', 'in', absentIds)
    .where('endedAt', 'is', null)
    .where('fromDate', '<=', today)
    .where('toDate', '>=', today)
    .execute()
}

/** The member with a confirmed e-mail address. */
export function findReachableMember(db: Db, { userId, organizationId }: Membership) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['u.email', 'u.language', 'o.shortName', 'm.roles'])
    .where('m.userId', '=', userId)
    .where('m.organizationId', '=', organizationId)
    .where('u.isEmailConfirmed', '=', true)
    .executeTakeFirst()
}

/** The name of the organisation if the person is a member of it. */
export async function findOrganizationOfMember(
  db: Db,
  { userId, organizationId }: Membership,
): Promise<string | undefined> {
  const member = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select('o.shortName')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', '=', userId)
    .executeTakeFirst()
  return member?.shortName
}
