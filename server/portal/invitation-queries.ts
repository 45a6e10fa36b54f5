/** Open invitations of an organisation: those that are neither accepted nor withdrawn. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { ListOf, Page } from '../lists/page.ts'
import { openOnes } from '../identity/core/queries.ts'

export type InvitationRow = {
  id: string
  email: string
  roles: number
  language: Language
  invitedBy: string
  createdAt: Date
  sentAt: Date
  expiresAt: Date
}

export async function findInvitations(
  db: Db,
  organizationId: string,
  page: Page,
): Promise<ListOf<InvitationRow>> {
  const open = openInvitations(db, organizationId)
  const items = await open
    .innerJoin('users as u', 'u.id', 'i.invitedBy')
    .select(['i.id', 'i.email', 'i.roles', 'i.language', 'u.fullName as invitedBy'])
    .select(['i.createdAt', 'i.sentAt', 'i.expiresAt'])
    .orderBy('i.createdAt', 'desc')
    .orderBy('i.id', 'desc')
    .offset(page.skip)
    .limit(page.take)
    .execute()
  const { count } = await open.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

function openInvitations(db: Db, organizationId: string) {
  return db
    .selectFrom('invitations as i')
    .where('i.organizationId', '=', organizationId)
    .where('i.acceptedAt', 'is', null)
    .where('i.withdrawnAt', 'is', null)
}

export async function isMemberWithEmail(db: Db, organizationId: string, email: string): Promise<boolean> {
  const found = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select('u.id')
    .where('m.organizationId', '=', organizationId)
    .where('u.email', '=', email)
    .where('u.isEmailConfirmed', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/** Replaces an open invitation to the same address: its link stops working, its place in the list stays. */
export async function putInvitation(
  tx: Tx,
  row: {
    id: string
    organizationId: string
    email: string
    roles: number
    language: Language
    tokenHash: Buffer
    invitedBy: string
    createdAt: Date
    expiresAt: Date
  },
): Promise<{ id: string; createdAt: Date }> {
  const { roles, language, tokenHash, invitedBy, createdAt, expiresAt } = row
  return tx
    .insertInto('invitations')
    .values({ ...row, sentAt: createdAt, acceptedAt: null, acceptedBy: null, withdrawnAt: null })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'email'])
        .where('acceptedAt', 'is', null)
        .where('withdrawnAt', 'is', null)
        .doUpdateSet({ roles, language, tokenHash, invitedBy, sentAt: createdAt, expiresAt }),
    )
    .returning(['id', 'createdAt'])
    .executeTakeFirstOrThrow()
}

/** Groups of another organisation, and those that are gone, are left out. */
export async function setInvitationGroups(
  tx: Tx,
  organizationId: string,
  invitationId: string,
  groupIds: readonly string[],
): Promise<void> {
  await tx.deleteFrom('invitationGroups').where('invitationId', '=', invitationId).execute()
  if (groupIds.length === 0) return
  await tx
    .insertInto('invitationGroups')
    .columns(['invitationId', 'groupId'])
    .expression((eb) =>
      eb
        .selectFrom('groups as g')
        .select([eb.val(invitationId).$castTo<string>().as('invitationId'), 'g.id as groupId'])
        .where('g.organizationId', '=', organizationId)
        .where('g.id', 'in', groupIds),
    )
    .execute()
}

/** The addresses of invitations that can still be accepted. */
export async function findOpenAddresses(db: Db, organizationId: string, now: Date): Promise<string[]> {
  const rows = await openInvitations(db, organizationId)
    .select('i.email')
    .where('i.expiresAt', '>', now)
    .execute()
  return rows.map(({ email }) => email)
}

export async function renewInvitation(
  tx: Tx,
  organizationId: string,
  invitationId: string,
  renewed: { tokenHash: Buffer; invitedBy: string; sentAt: Date; expiresAt: Date },
): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('invitations as i')
    .from('users as u')
    .set(renewed)
    .where('u.id', '=', renewed.invitedBy)
    .where('i.id', '=', invitationId)
    .where('i.organizationId', '=', organizationId)
    .where('i.acceptedAt', 'is', null)
    .where('i.withdrawnAt', 'is', null)
    .returning(['i.id', 'i.email', 'i.roles', 'i.language', 'u.fullName as invitedBy'])
    .returning(['i.createdAt', 'i.sentAt', 'i.expiresAt'])
    .executeTakeFirst()
}

/** Closes the invitations that a leaving person sent, and those sent to them. */
export async function closeInvitationsOf(
  tx: Tx,
  organizationId: string,
  person: { userId: string; email: string },
  now: Date,
): Promise<void> {
  await openOnes(tx, organizationId, now)
    .where((eb) => eb.or([eb('invitedBy', '=', person.userId), eb('email', '=', person.email)]))
    .execute()
}

/** The address it was sent to, or undefined if there is no such open invitation. */
export async function closeInvitation(
  tx: Tx,
  organizationId: string,
  invitationId: string,
  now: Date,
): Promise<string | undefined> {
  const closed = await tx
    .updateTable('invitations')
    .set({ withdrawnAt: now })
    .where('id', '=', invitationId)
    .where('organizationId', '=', organizationId)
    .where('acceptedAt', 'is', null)
    .where('withdrawnAt', 'is', null)
    .returning('email')
    .executeTakeFirst()
  return closed?.email
}
