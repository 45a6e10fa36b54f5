/** Counts e-mails to strangers in the transaction that queues them, so that the limits of a day are exact under concurrency. */
import type { Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  domainOf,
  secondsUntilTomorrow,
  strangerLimit,
  strangerLimitKinds,
  type StrangerLimitKind,
} from '@kelisim/domain/mail/stranger-limits.ts'
import { addressHash } from './stopped-emails.ts'
import { findPeopleBehind, lockCounts, saveCounts } from './stranger-queries.ts'

export type StrangerEmail = {
  to: string
  /** Who causes the e-mail, for which organisation, and whether its number is proved. */
  userId: string
  organizationId: string
  isConfirmed: boolean
}

/** For each e-mail the limit that it would exceed; null: it is counted and may be sent. */
export async function countStrangerEmails(
  tx: Tx,
  emails: readonly StrangerEmail[],
  now: Date,
): Promise<(StrangerLimitKind | null)[]> {
  if (emails.length === 0) return []
  const day = dateInAlmaty(now)
  const people = await findPeopleBehind(
    tx,
    emails.map(({ userId }) => userId),
  )
  const countersOf = emails.map((email) =>
    strangerLimitKinds.map((kind) => ({ kind, key: counterOf(kind, email, people) })),
  )
  const counts = await lockCounts(tx, day, countersOf.flat())
  const byCounter = new Map(counts.map((count) => [`${count.kind} ${count.key}`, count]))
  const reached = emails.map((email, i) => {
    const domain = domainOf(email.to)
    const own = countersOf[i]!.map(({ kind, key }) => byCounter.get(`${kind} ${key}`)!)
    const full = own.find(({ kind, sent }) => sent >= strangerLimit(kind, { ...email, domain }))
    if (!full) for (const count of own) count.sent++
    return full?.kind ?? null
  })
  await saveCounts(tx, day, counts)
  return reached
}

/** Counts one e-mail, or refuses and says when it is possible again. */
export async function countOrRefuse(tx: Tx, email: StrangerEmail, now: Date): Promise<void> {
  const [limit = null] = await countStrangerEmails(tx, [email], now)
  if (limit !== null) refuse('email-limit-reached', { limit, seconds: secondsUntilTomorrow(now) })
}

function counterOf(
  kind: StrangerLimitKind,
  { to, userId, organizationId }: StrangerEmail,
  people: ReadonlyMap<string, string>,
): string {
  const person = people.get(userId) ?? userId
  const address = addressHash(to).toString('base64url')
  const domain = domainOf(to)
  switch (kind) {
    case 'person':
      return person
    case 'person-to-address':
      return `${person} ${address}`
    case 'person-to-domain':
      return `${person} ${domain}`
    case 'organization':
      return organizationId
    case 'organization-to-address':
      return `${organizationId} ${address}`
    case 'organization-to-domain':
      return `${organizationId} ${domain}`
    case 'address':
      return address
    case 'domain':
      return domain
  }
}
