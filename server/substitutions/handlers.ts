/** A member who will be away names a substitute; either of the two can end it. */
import type * as z from 'zod/mini'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { shownDate } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { inOrganization, pages } from '@kelisim/domain/pages.ts'
import {
  addSubstitution,
  endSubstitution,
  getSubstitutions,
  type SubstitutionView,
} from '@kelisim/domain/substitutions/contract.ts'
import { mayEnd, stateOf, whyNotSubstitute } from '@kelisim/domain/substitutions/substitution.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import {
  findRecipient,
  addSubstitutionRow,
  endSubstitutionRow,
  findNamedBefore,
  findSubstitution,
  findSubstitutions,
  lockSubstitutions,
  type SubstitutionRow,
} from './queries.ts'
import { getOrganizationName } from '../identity/core/queries.ts'
import { findMember } from '../identity/core/membership-queries.ts'
import { day } from '@kelisim/domain/durations.ts'

type MailParts = { queueMail: QueueMail; publicUrl: URL }
type SubstitutionNotice = 'named' | 'ended'

const mostNamedADay = 10

export function openSubstitutions(
  { serve, publicUrl }: Http,
  { queueMail }: Pick<MailParts, 'queueMail'>,
): void {
  const mail = { queueMail, publicUrl }
  serve(getSubstitutions, async ({ input, who: { userId, member }, db, now }) => {
    const { organizationId } = member
    const { items, totalCount } = await findSubstitutions(db, { organizationId, userId }, input)
    return { totalCount, items: items.map((row) => substitutionView(row, userId, now)) }
  })

  serve(addSubstitution, ({ input, who: { userId, member }, now, write }) =>
    write(async (tx) => {
      const { organizationId } = member
      const { substituteId, from, to } = input
      const existing = await lockSubstitutions(tx, organizationId, now)
      // Either of them may have been removed while we waited for the lock.
      for (const id of [userId, substituteId]) {
        if (!(await findMember(tx, organizationId, id))) refuse('user-not-found')
      }
      const wanted = { absentId: userId, substituteId, from, to }
      const alias = whyNotSubstitute(wanted, existing, now)
      if (alias) refuse(alias)
      await refuseTooMany(tx, { organizationId, userId }, now)
      const id = newId(now.getTime())
      await addSubstitutionRow(tx, { id, organizationId, ...wanted }, now)
      const row = (await findSubstitution(tx, organizationId, id))!
      await notify(tx, mail, organizationId, row, { kind: 'named', userId: substituteId })
      return substitutionView(row, userId, now)
    }),
  )

  serve(endSubstitution, ({ input: { substitutionId }, who: { userId, member }, now, write }) =>
    write(async (tx) => {
      const { organizationId } = member
      await lockSubstitutions(tx, organizationId, now)
      const row = await findSubstitution(tx, organizationId, substitutionId)
      if (!row || ![row.absentId, row.substituteId].includes(userId)) return refuse('substitution-not-found')
      if (!mayEnd(row, userId, now)) refuse('substitution-over')
      await endSubstitutionRow(tx, row.id, userId, now)
      const other = userId === row.absentId ? row.substituteId : row.absentId
      await notify(tx, mail, organizationId, row, { kind: 'ended', userId: other })
      return substitutionView({ ...row, endedAt: now }, userId, now)
    }),
  )
}

function substitutionView(row: SubstitutionRow, userId: string, now: Date): z.input<typeof SubstitutionView> {
  return {
    id: row.id,
    from: row.from,
    to: row.to,
    state: stateOf(row, now),
    absent: { id: row.absentId, fullName: row.absentName },
    substitute: { id: row.substituteId, fullName: row.substituteName },
    allowed: { end: mayEnd(row, userId, now) },
  }
}

/** Naming and ending send e-mails to somebody else, so their rate is limited. */
async function refuseTooMany(
  tx: Tx,
  who: { organizationId: string; userId: string },
  now: Date,
): Promise<void> {
  const before = await findNamedBefore(tx, who, mostNamedADay - 1)
  const left = before === null ? 0 : before.getTime() + day - now.getTime()
  if (left > 0) refuse('too-many-requests', { seconds: Math.ceil(left / 1000) })
}

/** The substitute is notified by e-mail that they are expected to act, or no longer. */
async function notify(
  tx: Tx,
  { queueMail, publicUrl }: MailParts,
  organizationId: string,
  row: SubstitutionRow,
  { kind, userId }: { kind: SubstitutionNotice; userId: string },
): Promise<void> {
  const { email, language } = await findRecipient(tx, userId)
  const organization = await getOrganizationName(tx, organizationId)
  const texts = textsOf(language, 'mail')
  const { absentName: absent, substituteName: substitute } = row
  const values = { absent, substitute, organization, from: shownDate(row.from), to: shownDate(row.to) }
  await queueMail(tx, {
    to: email,
    language,
    subject: texts(`substitution.${kind}.subject`, values),
    paragraphs: [texts(`substitution.${kind}.text`, values)],
    button: {
      label: texts('substitution.button'),
      url: new URL(inOrganization(pages.substitutions, organizationId), publicUrl).href,
    },
  })
}
