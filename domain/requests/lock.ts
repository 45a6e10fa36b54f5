/**
 * Locks a document while the signing dialog is open, so that two people do not sign at once. A person can hold the
 * lock for at most half an hour of one turn; after that others may sign and the author may withdraw.
 */
import { minute } from '../durations.ts'

export const lockMinutes = 5
export const mostHeldMinutes = 30
const longest = lockMinutes * minute
const most = mostHeldMinutes * minute

export type Lock = { by: string; until: Date }
/** How long each person has held the lock in this turn, in milliseconds. */
export type Held = { turn: string; by: Readonly<Record<string, number>> }

/** A lock that ends later than possible was written by a wrong clock and is ignored. */
export function isHeld(lock: Pick<Lock, 'until'> | null, now: Date): boolean {
  if (lock === null) return false
  const left = lock.until.getTime() - now.getTime()
  return left > 0 && left <= longest + minute
}

/** Takes or extends the lock. `until` is null if the person has used up their time. */
export function extendLock(
  lock: Lock | null,
  held: Held | null,
  { turn, by, now }: { turn: string; by: string; now: Date },
): { until: Date | null; held: Held } {
  const before = held?.turn === turn ? held.by : {}
  const spent = before[by] ?? 0
  const isOwn = lock !== null && lock.by === by && isHeld(lock, now)
  const from = isOwn ? lock.until.getTime() : now.getTime()
  const wanted = Math.max(0, now.getTime() + longest - from)
  const granted = Math.min(wanted, Math.max(0, most - spent))
  const until = new Date(from + granted)
  return { until: until > now ? until : null, held: { turn, by: { ...before, [by]: spent + granted } } }
}

/** Returns the held times without the unused rest of the lock. */
export function releaseLock(lock: Lock, held: Held, now: Date): Held {
  const left = isHeld(lock, now) ? lock.until.getTime() - now.getTime() : 0
  const spent = Math.max(0, (held.by[lock.by] ?? 0) - left)
  return { ...held, by: { ...held.by, [lock.by]: spent } }
}

/**
 * A lock ends with its holder's act and with the turn, so that others who are asked need not wait for a closed
 * dialog.
 */
export function endsLock(
  lock: Pick<Lock, 'by'>,
  { actor, turns }: { actor: string | null; turns: { before: string; after: string | null } },
): boolean {
  return actor === lock.by || turns.before !== turns.after
}

/** Whether all holders together have exceeded the limit, after which the author may withdraw. */
export function isWorn(held: Held | null, turn: string): boolean {
  if (held?.turn !== turn) return false
  return Object.values(held.by).reduce((sum, one) => sum + one, 0) > most
}
