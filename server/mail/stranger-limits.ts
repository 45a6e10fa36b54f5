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
import { lockCounts, saveCounts } from './stranger-queries.ts'

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
  const counters = emails.flatMap((email) =>
    strangerLimitKinds.map((kind) => ({ kind, key: keyOf(kind, email) })),
  )
  const counts = await lockCounts(tx, day, counters)
  const reached = emails.map((email) => {
    const domain = domainOf(email.to)
    const own = strangerLimitKinds.map((kind) =>
      counts.find((count) => count.kind === kind && count.key === keyOf(kind, email))!,
    )
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

function keyOf(kind: StrangerLimitKind, { to, userId, organizationId }: StrangerEmail): string {
  switch (kind) {
    case 'person':
      return userId
    case 'organization':
      return organizationId
    case 'address':
      return addressHash(to).toString('base64url')
    case 'domain':
      return domainOf(to)
  }
}
