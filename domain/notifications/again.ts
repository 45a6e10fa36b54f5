/** When somebody may be told once more, by hand and by the clock (CHECKLIST.md K-02). */
import { day, hour } from '../durations.ts'
import type { Alias } from '../errors.ts'
import type { LetterState } from './emails-contract.ts'

/** One letter an hour to one recipient of one request; what is still on its way is not sent twice. */
export function whyNotResend(
  { state, resentAt }: { state: LetterState; resentAt: Date | null },
  now: Date,
): Extract<Alias, `letter-${string}`> | null {
  switch (state) {
    case 'none':
    case 'off':
      return 'letter-not-found'
    case 'queued':
    case 'handing-over':
    case 'daily':
      return 'letter-on-its-way'
    case 'sent':
    case 'refused':
    case 'failed':
    case 'uncertain':
    case 'kept':
      return resentAt !== null && now.getTime() - resentAt.getTime() < hour ? 'letter-resent-recently' : null
  }
}

/** By hand once a day, whoever does it. */
export function mayRemind(lastByHand: Date | null, now: Date): boolean {
  return lastByHand === null || now.getTime() - lastByHand.getTime() >= day
}

export const firstReminderAfter = 70 * day
export const nextReminderAfter = 7 * day

/** Ten weeks without a change of status, then every seven days; what was reminded of before the change does not count. */
export function isReminderDue(
  { statusChangedAt, lastByClock }: { statusChangedAt: Date; lastByClock: Date | null },
  now: Date,
): boolean {
  if (now.getTime() - statusChangedAt.getTime() < firstReminderAfter) return false
  return (
    lastByClock === null ||
    lastByClock < statusChangedAt ||
    now.getTime() - lastByClock.getTime() >= nextReminderAfter
  )
}
