/**
 * How often one person may be refused at one place before they have to wait. Everything that is tried is kept for ever:
 * without a bound somebody at turn could fill the house, and the history of others, one bad try after another.
 */
import { day, hour } from '../durations.ts'

/** Of a person at a point, within an hour and in all. */
export const refusedSignatures = { hour: 20, inAll: 100 } as const
/** Of a person for a request, within a day and in all. */
export const begunTerminations = { day: 5, inAll: 30 } as const

/** When the next try is taken, given when the ones before were made; null: at once, or `never`. */
export function signingWaitsUntil(refusedAt: readonly Date[], now: Date): Date | 'never' | null {
  return waitsUntil(refusedAt, refusedSignatures.hour, refusedSignatures.inAll, hour, now)
}

export function terminatingWaitsUntil(begunAt: readonly Date[], now: Date): Date | 'never' | null {
  return waitsUntil(begunAt, begunTerminations.day, begunTerminations.inAll, day, now)
}

function waitsUntil(
  tries: readonly Date[],
  mostWithin: number,
  mostInAll: number,
  span: number,
  now: Date,
): Date | 'never' | null {
  if (tries.length >= mostInAll) return 'never'
  // A clock that was set back must not make anybody wait longer than the span.
  const counted = tries
    .map((at) => Math.min(at.getTime(), now.getTime()))
    .filter((at) => at > now.getTime() - span)
    .toSorted((one, other) => other - one)
  const freeing = counted[mostWithin - 1]
  return freeing === undefined ? null : new Date(freeing + span)
}
