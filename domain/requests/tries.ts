/**
 * How often a person may be refused before they have to wait. Every try is stored, so without a limit one person
 * could fill the storage and the history of others.
 */
import { day, hour } from '../durations.ts'

/** For a person at a point: within an hour, and in total. */
export const refusedSignatures = { hour: 20, inAll: 100 } as const
/** For a person and a request: within a day, and in total. */
export const begunTerminations = { day: 5, inAll: 30 } as const

/** When the next try is accepted; null: now. */
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
  // Setting the clock back must not prolong the wait.
  const counted = tries
    .map((at) => Math.min(at.getTime(), now.getTime()))
    .filter((at) => at > now.getTime() - span)
    .toSorted((one, other) => other - one)
  const freeing = counted[mostWithin - 1]
  return freeing === undefined ? null : new Date(freeing + span)
}
