/** Queries about the signed-in person: their organisations, roles, groups, and the invitation they hold. */
import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { IdentityTables } from '@kelisim/db/schema/identity.ts'
import type { OrganizationEventType } from '@kelisim/domain/portal/contract.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { idleLimit } from '../../http/session.ts'
import type { Page, ListOf } from '../../lists/page.ts'

/** The user of a session, who exists as long as the session does. */
export function getUser(db: Db, userId: string): Promise<Selectable<IdentityTables['users']>> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
}

export function findOrganizationsOf(
  db: Db,
  userId: string,
): Promise<
  {
    id: string
    shortName: string
    bin: string
    confirmedAt: Date | null
    livesAt: string | null
    roles: number
  }[]
> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organizationId')
    .select(['o.id', 'o.shortName', 'o.bin', 'o.confirmedAt', 'o.livesAt', 'm.roles'])
    .where('m.userId', '=', userId)
    .orderBy('o.shortName')
    .orderBy('o.id')
    .execute()
}

/** Makes concurrent calls of one person run one after the other. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

export async function isConfirmedNumber(db: Db, bin: string): Promise<boolean> {
  const found = await db
    .selectFrom('organizations')
    .select('id')
    .where('bin', '=', bin)
    .where('confirmedAt', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function addOrganizationRow(
  tx: Tx,
  row: {
    id: string
    bin: string
    isIndividual: boolean
    shortName: string
    confirmedAt: Date | null
    createdAt: Date
  },
): Promise<void> {
  await tx.insertInto('organizations').values(row).execute()
}

/** False if the person is already a member. */
export async function addMembership(
  tx: Tx,
  row: { organizationId: string; userId: string; roles: number; joinedAt: Date },
): Promise<boolean> {
  const added = await tx
    .insertInto('memberships')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organizationId', 'userId']).doNothing())
    .returning('userId')
    .executeTakeFirst()
  return added !== undefined
}

export async function saveLanguage(tx: Tx, userId: string, language: Language): Promise<void> {
  await tx.updateTable('users').set({ language }).where('id', '=', userId).execute()
}

export async function saveAgreement(tx: Tx, userId: string, version: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ agreementVersion: version, agreementAcceptedAt: now })
    .where('id', '=', userId)
    .execute()
}

export type MyGroupRow = {
  id: string
  name: string
  organizationId: string
  organizationName: string
  participants: string[]
}

export async function findGroupsOf(db: Db, userId: string, page: Page): Promise<ListOf<MyGroupRow>> {
  const mine = db
    .selectFrom('groupParticipants as mine')
    .innerJoin('groups as g', 'g.id', 'mine.groupId')
    .innerJoin('organizations as o', 'o.id', 'g.organizationId')
    .where('mine.userId', '=', userId)
    .where('g.isAudience', '=', false)
  const items = await mine
    .select(['g.id', 'g.name', 'o.id as organizationId', 'o.shortName as organizationName'])
    .select(
      sql<string[]>`array(
        select u.full_name from group_participants p join users u on u.id = p.user_id
        where p.group_id = g.id order by u.full_name, u.id)`.as('participants'),
    )
    .orderBy('o.shortName')
    .orderBy('g.name')
    .orderBy('g.id')
    .offset(page.skip)
    .limit(page.take)
    .execute()
  const { count } = await mine.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export type HeldInvitation = {
  id: string
  organizationId: string
  bin: string
  confirmedAt: Date | null
  organizationName: string
  invitedBy: string
  inviterId: string
  email: string
  roles: number
  expiresAt: Date
}

/** An open invitation (neither accepted nor withdrawn) by the hash of its token. */
export function findHeldInvitation(db: Db, tokenHash: Buffer): Promise<HeldInvitation | undefined> {
  return db
    .selectFrom('invitations as i')
    .innerJoin('organizations as o', 'o.id', 'i.organizationId')
    .innerJoin('users as u', 'u.id', 'i.invitedBy')
    .select(['i.id', 'i.organizationId', 'i.email', 'i.roles', 'i.expiresAt'])
    .select([
      'o.bin',
      'o.confirmedAt',
      'o.shortName as organizationName',
      'u.fullName as invitedBy',
      'u.id as inviterId',
    ])
    .where('i.tokenHash', '=', tokenHash)
    .where('i.acceptedAt', 'is', null)
    .where('i.withdrawnAt', 'is', null)
    .executeTakeFirst()
}

/** The invitation, locked until the transaction ends: it is either accepted once or withdrawn. */
export async function lockHeldInvitation(tx: Tx, tokenHash: Buffer): Promise<HeldInvitation | undefined> {
  await tx.selectFrom('invitations').select('id').where('tokenHash', '=', tokenHash).forUpdate().execute()
  return findHeldInvitation(tx, tokenHash)
}

export async function markAccepted(tx: Tx, invitationId: string, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ acceptedAt: now, acceptedBy: userId })
    .where('id', '=', invitationId)
    .execute()
}

/**
 * Adds the person to the groups of the invitation. The version of each group is raised, so that nobody saves a list
 * without the new member.
 */
export async function joinInvitedGroups(tx: Tx, invitationId: string, userId: string): Promise<void> {
  await sql`
    with joined as (
      insert into group_participants (organization_id, group_id, user_id)
      select g.organization_id, g.id, ${userId} from invitation_groups i join groups g on g.id = i.group_id
      where i.invitation_id = ${invitationId}
      on conflict do nothing returning group_id)
    update groups set version = version + 1 where id in (select group_id from joined)`.execute(tx)
}

export async function addEvent(
  tx: Tx,
  event: {
    organizationId: string
    by: string
    at: Date
    type: OrganizationEventType
    /** Names what was changed, in words that stay true when the row itself is deleted. */
    subject: string
    details?: Record<string, unknown>
  },
): Promise<void> {
  await tx.insertInto('organizationEvents').values(event).execute()
}

/** Deletes what has no effect any more: ended sessions, expired challenges, counters of past minutes. */
export async function sweepIdentity(tx: Tx, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - idleLimit)
  await tx
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('expiresAt', '<=', now), eb('lastSeenAt', '<', idleSince)]))
    .execute()
  await tx.deleteFrom('organizationChallenges').where('expiresAt', '<=', now).execute()
  await tx.deleteFrom('rateLimits').where('expire', '<', now.getTime()).execute()
}

/** Closes other invitations of a person who has joined. */
export async function closeInvitationsTo(
  tx: Tx,
  organizationId: string,
  email: string,
  now: Date,
): Promise<void> {
  await openOnes(tx, organizationId, now).where('email', '=', email).execute()
}

export function openOnes(tx: Tx, organizationId: string, now: Date) {
  return tx
    .updateTable('invitations')
    .set({ withdrawnAt: now })
    .where('organizationId', '=', organizationId)
    .where('acceptedAt', 'is', null)
    .where('withdrawnAt', 'is', null)
}

export async function getOrganizationName(db: Db, organizationId: string): Promise<string> {
  const { shortName } = await db
    .selectFrom('organizations')
    .select('shortName')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return shortName
}
