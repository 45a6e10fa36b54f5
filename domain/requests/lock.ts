/**
 * Holding a document while the sign dialog is open. It is a courtesy among those who are asked, so it has an end: who has
 * held it for half an hour of one turn holds it no longer, and its author waits for nobody beyond that.
 */
import { minute } from '../durations.ts'

export const lockMinutes = 5
export const mostHeldMinutes = 30
const longest = lockMinutes * minute
const most = mostHeldMinutes * minute

export type Lock = { by: string; until: Date }
/** For how long each person has held it, in milliseconds; counted anew with each turn. */
export type Held = { turn: string; by: Readonly<Record<string, number>> }

/** One that ends later than any could was written by a clock that was wrong: nobody waits for it. */
export function isHeld(lock: Pick<Lock, 'until'> | null, now: Date): boolean {
  if (lock === null) return false
  const left = lock.until.getTime() - now.getTime()
  return left > 0 && left <= longest + minute
}

/** Taken, or taken for longer. `until` null: this person has held it for long enough, and others may sign. */
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
  const given = Math.min(wanted, Math.max(0, most - spent))
  const until = new Date(from + given)
  return { until: until > now ? until : null, held: { turn, by: { ...before, [by]: spent + given } } }
}

/** What was taken and not used is given back. */
export function releaseLock(lock: Lock, held: Held, now: Date): Held {
  const left = isHeld(lock, now) ? lock.until.getTime() - now.getTime() : 0
  const spent = Math.max(0, (held.by[lock.by] ?? 0) - left)
  return { ...held, by: { ...held.by, [lock.by]: spent } }
}

/** All of them together: half an hour of waiting is enough for whoever wants to withdraw. */
export function isWorn(held: Held | null, turn: string): boolean {
  if (held?.turn !== turn) return false
  return Object.values(held.by).reduce((sum, one) => sum + one, 0) > most
}
