/**
 * How long a guesser waits. A few failures cost nothing; after that every further one costs more.
 *
 * Two counters: one for the pair account + address, so a stranger elsewhere cannot lock the owner out, and one
 * for the address alone, against trying one password on many accounts. A whole office may share an address,
 * so the second one is patient.
 */

export type LockOutPolicy = { freeFailures: number }

export const pairPolicy: LockOutPolicy = { freeFailures: 5 }
export const addressPolicy: LockOutPolicy = { freeFailures: 50 }

export type Failures = { failures: number; lastFailedAt: Date; blockedUntil: Date | null }

const minute = 60_000
const delays = [1, 5, 15, 30, 60].map((minutes) => minutes * minute)

/** Failures older than this are forgotten. */
export const memory = 24 * 60 * minute

export function delayAfter(failures: number, { freeFailures }: LockOutPolicy): number {
  if (failures < freeFailures) return 0
  return delays[Math.min(failures - freeFailures, delays.length - 1)]!
}

export function isBlocked({ blockedUntil }: Failures, now: Date): boolean {
  return blockedUntil !== null && blockedUntil > now
}

/** The counter after one more failure. */
export function afterFailure(before: Failures, policy: LockOutPolicy, now: Date): Failures {
  const isForgotten = now.getTime() - before.lastFailedAt.getTime() > memory
  const failures = (isForgotten ? 0 : before.failures) + 1
  const delay = delayAfter(failures, policy)
  return { failures, lastFailedAt: now, blockedUntil: delay > 0 ? new Date(now.getTime() + delay) : null }
}

/** The counter when the failure counted in advance turned out to be a success. */
export function withoutLast(counted: Failures, policy: LockOutPolicy): Failures {
  const failures = Math.max(counted.failures - 1, 0)
  return { ...counted, failures, blockedUntil: failures < policy.freeFailures ? null : counted.blockedUntil }
}
