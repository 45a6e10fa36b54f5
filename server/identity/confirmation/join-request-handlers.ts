/** Owners decide about people who presented a signature of their organisation. */
import type { Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  acceptJoinRequest,
  declineJoinRequest,
  getJoinRequests,
  getMyJoinRequests,
} from '@kelisim/domain/identity/confirmation-contract.ts'
import { asStaff } from '@kelisim/domain/identity/roles.ts'
import type { Email } from '@kelisim/domain/mail/email.ts'
import { inOrganization, pages, portalInvitationsPage } from '@kelisim/domain/pages.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../../http/serve.ts'
import type { QueueMail } from '../../mail/outbox.ts'
import {
  decideJoinRequest,
  findJoinRequests,
  findJoinRequestsOf,
  findOwnersMail,
} from './join-request-queries.ts'
import { addEvent, addMembership, getUser } from '../core/queries.ts'
import { lockOwners } from '../core/membership-queries.ts'
import { findCard } from '../core/card-queries.ts'

type JoinRequestDependencies = { queueMail: QueueMail; publicUrl: URL }

export function joinRequestHandlers(serve: Serve, dependencies: JoinRequestDependencies): void {
  serve(getMyJoinRequests, async ({ who, db }) => {
    const found = await findJoinRequestsOf(db, who.userId)
    return { items: found.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
  })

  serve(getJoinRequests, async ({ input, who, db }) => {
    const { items, totalCount } = await findJoinRequests(db, who.member.organizationId, input)
    return { totalCount, items: items.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })) }
  })

  serve(acceptJoinRequest, async ({ input, who, now, write }) => {
    await write(async (tx) => {
      const user = await decide(tx, input, { by: who.userId, now, isAccepted: true })
      const { organizationId } = input
      // An invitation may have made them a member meanwhile; then its roles apply.
      const membership = { organizationId, userId: user.id, roles: asStaff(input.roles), joinedAt: now }
      if (!(await addMembership(tx, membership))) return
      const event = { type: 'joined', subject: user.fullName, details: { userId: user.id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      await notifyOfDecision(tx, dependencies, organizationId, user, 'accepted')
    })
    return {}
  })

  serve(declineJoinRequest, async ({ input, who, now, write }) => {
    await write(async (tx) => {
      const user = await decide(tx, input, { by: who.userId, now, isAccepted: false })
      const { organizationId } = input
      const event = { type: 'join-declined', subject: user.fullName, details: { userId: user.id } } as const
      await addEvent(tx, { organizationId, by: who.userId, at: now, ...event })
      await notifyOfDecision(tx, dependencies, organizationId, user, 'declined')
    })
    return {}
  })
}

/** E-mails every owner, each in their own language. */
export async function notifyOwners(
  tx: Tx,
  { queueMail, publicUrl }: JoinRequestDependencies,
  organizationId: string,
  { person, signedBy }: { person: { fullName: string; email: string }; signedBy: string },
): Promise<void> {
  const { shortName: organization } = await findCard(tx, organizationId)
  const url = new URL(portalInvitationsPage(organizationId), publicUrl).href
  for (const { email, language } of await findOwnersMail(tx, organizationId)) {
    const texts = textsOf(language, 'mail')
    await queueMail(tx, {
      to: email,
      language,
      subject: texts('join.subject', { organization }),
      paragraphs: [
        texts('join.text', { organization }),
        texts('join.signature', { name: signedBy }),
        texts('join.warning'),
      ],
      quotes: [
        { label: texts('join.name'), text: person.fullName },
        { label: texts('join.email'), text: person.email },
      ],
      button: { label: texts('join.button'), url },
    })
  }
}

async function decide(
  tx: Tx,
  { organizationId, joinRequestId }: { organizationId: string; joinRequestId: string },
  { by, now, isAccepted }: { by: string; now: Date; isAccepted: boolean },
) {
  const owners = await lockOwners(tx, organizationId)
  // Another owner may have taken this right away while this transaction waited for the lock.
  if (!owners.includes(by)) refuse('not-enough-permissions')
  const decision = { decidedAt: now, decidedBy: by, isAccepted }
  const decided = await decideJoinRequest(tx, { organizationId, joinRequestId }, decision)
  const { userId } = decided ?? refuse('join-request-not-found')
  return getUser(tx, userId)
}

async function notifyOfDecision(
  tx: Tx,
  { queueMail, publicUrl }: JoinRequestDependencies,
  organizationId: string,
  { email, language }: { email: string; language: Language },
  answer: 'accepted' | 'declined',
): Promise<void> {
  if (email === '') return
  const { shortName: organization } = await findCard(tx, organizationId)
  const texts = textsOf(language, 'mail')
  const way = inOrganization(pages.incomingRequests, organizationId)
  const message: Email = {
    to: email,
    language,
    subject: texts(`joinAnswer.${answer}.subject`, { organization }),
    paragraphs: [texts(`joinAnswer.${answer}.text`, { organization })],
    ...(answer === 'accepted' && {
      button: { label: texts('joinAnswer.accepted.button'), url: new URL(way, publicUrl).href },
    }),
  }
  await queueMail(tx, message)
}
