/** When an e-mail may be sent again, and when reminders are sent (docs/product/notifications.md#k-02). */
import { addDays, dateInAlmaty } from '../calendar.ts'
import { day, hour } from '../durations.ts'
import type { Alias } from '../errors.ts'
import type { EmailState } from './emails-contract.ts'

/** One e-mail an hour to one recipient of one request; an e-mail that is still being delivered is not sent again. */
export function whyNotResend(
  { state, resentAt }: { state: EmailState; resentAt: Date | null },
  now: Date,
): Extract<Alias, `letter-${string}`> | null {
  switch (state) {
    case 'none':
    case 'off':
    case 'outdated':
      return 'letter-not-found'
    case 'queued':
    case 'handing-over':
    case 'daily':
    case 'held':
      return 'letter-on-its-way'
    case 'sent':
    case 'refused':
    case 'failed':
    case 'uncertain':
    case 'kept':
      return resentAt !== null && now.getTime() - resentAt.getTime() < hour ? 'letter-resent-recently' : null
  }
}

/** Manual reminders are limited to one a day for a request. */
export function mayRemind(lastManual: Date | null, now: Date): boolean {
  return lastManual === null || now.getTime() - lastManual.getTime() >= day
}

export const firstReminderAfter = 70 * day
/** In calendar days, because the daily chore reaches a request at a different second each time. */
const daysBetweenReminders = 7

/** Due ten weeks after the last change of status, then every seven days; earlier reminders do not count. */
export function isReminderDue(
  { statusChangedAt, lastScheduled }: { statusChangedAt: Date; lastScheduled: Date | null },
  now: Date,
): boolean {
  if (now.getTime() - statusChangedAt.getTime() < firstReminderAfter) return false
  return (
    lastScheduled === null ||
    lastScheduled < statusChangedAt ||
    addDays(dateInAlmaty(lastScheduled), daysBetweenReminders) <= dateInAlmaty(now)
  )
}
