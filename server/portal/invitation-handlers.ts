/** Inviting people: the e-mail is queued in the transaction that saves the invitation. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty, shownDate } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { invitationPage } from '@kelisim/domain/pages.ts'
import { invitationLife, isExpired } from '@kelisim/domain/portal/invitations.ts'
import {
  getInvitations,
  invite,
  resendInvitation,
  withdrawInvitation,
} from '@kelisim/domain/portal/contract.ts'
import { inGroups } from '@kelisim/domain/numbers.ts'
import { asStaff } from '@kelisim/domain/identity/roles.ts'
import { harmless, type Email } from '@kelisim/domain/mail/email.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../http/serve.ts'
import type { QueueMail } from '../mail/outbox.ts'
import { refuseStopped, stopAddress } from '../mail/stopped-emails.ts'
import { countOrRefuse } from '../mail/stranger-limits.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import {
  closeInvitation,
  findInvitations,
  type InvitationRow,
  isMemberWithEmail,
  putInvitation,
  renewInvitation,
  setInvitationGroups,
} from './invitation-queries.ts'
import { addEvent, getUser } from '../identity/core/queries.ts'
import { lockOwners } from '../identity/core/membership-queries.ts'
import { findCard, type CardRow } from '../identity/core/card-queries.ts'

export type InvitationDependencies = {
  queueMail: QueueMail
  signedLinks: () => Promise<SignedLinks>
  publicUrl: URL
}

export function invitationHandlers(serve: Serve, dependencies: InvitationDependencies): void {
  serve(getInvitations, async ({ input, who, now, db }) => {
    const { items, totalCount } = await findInvitations(db, who.member.organizationId, input)
    return { totalCount, items: items.map((row) => invitationView(row, now)) }
  })

  serve(invite, ({ input: { organizationId: _, roles, ...invited }, who, now, write }) =>
    write(async (tx) => {
      const by = { organizationId: who.member.organizationId, userId: who.userId }
      const row = await invitePerson(tx, dependencies, by, { ...invited, roles: asStaff(roles) }, now)
      return invitationView(row, now)
    }),
  )

  serve(resendInvitation, ({ input: { invitationId }, who, now, write }) =>
    write(async (tx) => {
      const { organizationId } = who.member
      await mustStillOwn(tx, organizationId, who.userId)
      const { token, ...secret } = newLink(now)
      const renewed = await renewInvitation(tx, organizationId, invitationId, {
        ...secret,
        invitedBy: who.userId,
        sentAt: now,
      })
      const row = renewed ?? refuse('invitation-not-found')
      await sendInvitation(tx, dependencies, { organizationId, userId: who.userId, row, token }, now)
      await addEvent(tx, {
        organizationId,
        by: who.userId,
        at: now,
        type: 'invitation-resent',
        subject: row.email,
      })
      return invitationView(row, now)
    }),
  )

  serve(withdrawInvitation, async ({ input: { invitationId }, who, now, write }) => {
    const { organizationId } = who.member
    await write(async (tx) => {
      const closed = await closeInvitation(tx, organizationId, invitationId, now)
      const email = closed ?? refuse('invitation-not-found')
      await addEvent(tx, {
        organizationId,
        by: who.userId,
        at: now,
        type: 'invitation-withdrawn',
        subject: email,
      })
    })
    return {}
  })
}

/** Replaces an open invitation to the same address; whoever accepts it joins the groups. */
export async function invitePerson(
  tx: Tx,
  dependencies: InvitationDependencies,
  { organizationId, userId }: { organizationId: string; userId: string },
  { groupIds = [], ...invited }: { email: string; language: Language; roles: number; groupIds?: string[] },
  now: Date,
): Promise<InvitationRow> {
  await mustStillOwn(tx, organizationId, userId)
  if (await isMemberWithEmail(tx, organizationId, invited.email)) refuse('already-member')
  const { token, ...secret } = newLink(now)
  const wanted = { ...invited, ...secret }
  const put = await putInvitation(tx, {
    ...wanted,
    id: newId(now.getTime()),
    organizationId,
    invitedBy: userId,
    createdAt: now,
  })
  await setInvitationGroups(tx, organizationId, put.id, groupIds)
  const { fullName: invitedBy } = await getUser(tx, userId)
  const row = { ...wanted, ...put, invitedBy, sentAt: now }
  await sendInvitation(tx, dependencies, { organizationId, userId, row, token }, now)
  await addEvent(tx, { organizationId, by: userId, at: now, type: 'invited', subject: invited.email })
  return row
}

/**
 * Locks the owners, so that joining, inviting and losing a role run one after the other, and refuses a caller who
 * lost the role meanwhile.
 */
async function mustStillOwn(tx: Tx, organizationId: string, userId: string): Promise<void> {
  const owners = await lockOwners(tx, organizationId)
  if (!owners.includes(userId)) refuse('not-enough-permissions')
}

/** A secret that only the e-mail contains; the database keeps its SHA-256. */
function newLink(now: Date): { token: string; tokenHash: Buffer; expiresAt: Date } {
  const token = randomBytes(32).toString('base64url')
  return {
    token,
    tokenHash: createHash('sha256').update(token).digest(),
    expiresAt: new Date(now.getTime() + invitationLife),
  }
}

async function sendInvitation(
  tx: Tx,
  { queueMail, publicUrl, signedLinks }: InvitationDependencies,
  sent: { organizationId: string; userId: string; row: InvitationRow; token: string },
  now: Date,
): Promise<void> {
  const { organizationId, userId, row, token } = sent
  await refuseStopped(tx, row.email, organizationId)
  const card = await findCard(tx, organizationId)
  const isConfirmed = card.confirmedAt !== null
  await countOrRefuse(tx, { to: row.email, userId, organizationId, isConfirmed }, now)
  const links = { publicUrl, signedLinks: await signedLinks() }
  await queueMail(tx, {
    ...invitationEmail(row, card, new URL(invitationPage(token), publicUrl)),
    choice: { unsubscribeUrl: stopAddress(row.email, organizationId, links) },
  })
}

/**
 * The name of an organisation that proved its number comes from its certificate. Nothing that any other organisation
 * typed is sent to people who do not know it.
 */
function invitationEmail(invitation: InvitationRow, card: CardRow, link: URL): Email {
  const { email, language, invitedBy, expiresAt } = invitation
  const texts = textsOf(language, 'mail')
  const isConfirmed = card.confirmedAt !== null
  const values = { organization: harmless(card.shortName, 100), number: inGroups(card.bin) }
  return {
    to: email,
    language,
    subject: isConfirmed
      ? texts('invitation.confirmed.subject', values)
      : texts('invitation.unconfirmed.subject'),
    paragraphs: [
      isConfirmed ? texts('invitation.confirmed.text', values) : texts('invitation.unconfirmed.text'),
      isConfirmed ? texts('invitation.confirmed.proof', values) : texts('invitation.unconfirmed.proof'),
      texts('invitation.term', { date: shownDate(dateInAlmaty(expiresAt)) }),
    ],
    ...(isConfirmed && { quotes: [{ label: texts('invitation.confirmed.inviter'), text: invitedBy }] }),
    button: { label: texts('invitation.button'), url: link.href },
  }
}

function invitationView(row: InvitationRow, now: Date) {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    isExpired: isExpired(row, now),
  }
}
