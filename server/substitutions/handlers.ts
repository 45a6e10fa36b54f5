/** Who is away names who acts instead; either of the two ends it. */
import type * as z from 'zod/mini'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { shownDate } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  addSubstitution,
  endSubstitution,
  getSubstitutions,
  type SubstitutionView,
} from '@kelisim/domain/substitutions/contract.ts'
import { mayEnd, stateOf, whyNotSubstitute } from '@kelisim/domain/substitutions/substitution.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Serve } from '../http/serve.ts'
import { findMember } from '../identity/portal-queries.ts'
import type { QueueMail } from '../mail/outbox.ts'
import {
  addSubstitutionRow,
  endSubstitutionRow,
  findSubstitution,
  findSubstitutions,
  lockSubstitutions,
  type SubstitutionRow,
} from './queries.ts'

type Outside = { queueMail: QueueMail; publicUrl: URL }
type Told = 'named' | 'ended'

export function substitutionHandlers(serve: Serve, outside: Outside): void {
  serve(getSubstitutions, async ({ input, who: { userId, member }, db, now }) => {
    const { organizationId } = member
    const { items, totalCount } = await findSubstitutions(db, { organizationId, userId }, input)
    return { totalCount, items: items.map((row) => substitutionView(row, userId, now)) }
  })

  serve(addSubstitution, ({ input, who: { userId, member }, now, write }) =>
    write(async (tx) => {
      const { organizationId } = member
      const { substituteId, from, to } = input
      if (!(await findMember(tx, organizationId, substituteId))) refuse('user-not-found')
      const wanted = { absentId: userId, substituteId, from, to }
      const alias = whyNotSubstitute(wanted, await lockSubstitutions(tx, organizationId, now), now)
      if (alias) refuse(alias)
      const id = newId(now.getTime())
      await addSubstitutionRow(tx, { id, organizationId, ...wanted }, now)
      const row = (await findSubstitution(tx, organizationId, id))!
      await tell(tx, outside, organizationId, row, { kind: 'named', userId: substituteId })
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
      await tell(tx, outside, organizationId, row, { kind: 'ended', userId: other })
      return substitutionView({ ...row, endedAt: now }, userId, now)
    }),
  )
}

function substitutionView(row: SubstitutionRow, userId: string, now: Date): z.input<typeof SubstitutionView> {
  return {
    ...{ id: row.id, from: row.from, to: row.to, state: stateOf(row, now) },
    absent: { id: row.absentId, fullName: row.absentName },
    substitute: { id: row.substituteId, fullName: row.substituteName },
    allowed: { end: mayEnd(row, userId, now) },
  }
}

/** The other one learns of it by letter: they are counted on, or not any more. */
async function tell(
  tx: Tx,
  { queueMail, publicUrl }: Outside,
  organizationId: string,
  row: SubstitutionRow,
  { kind, userId }: { kind: Told; userId: string },
): Promise<void> {
  const { email, language } = await tx
    .selectFrom('users')
    .select(['email', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { shortName: organization } = await tx
    .selectFrom('organizations')
    .select('shortName')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
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
      url: new URL(`/options/Substitution?organizationId=${organizationId}`, publicUrl).href,
    },
  })
}
