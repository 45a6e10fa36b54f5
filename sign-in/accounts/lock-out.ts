/**
 * How long somebody who guesses passwords has to wait. A few failures cost nothing; after that every further one costs
 * more.
 *
 * Three counters:
 *   pair     account + address: a stranger elsewhere cannot lock the owner out;
 *   address  one password tried on many accounts. A whole office may share an address, so its limit is high;
 *   account  one account tried from many addresses.
 * The last two do not stop a pair that has signed in lately, so that people can go on working at their usual place.
 */
import { day, hour, minute } from '@kelisim/domain/durations.ts'

export type LockOutPolicy = {
  freeFailures: number
  /** After this time without a failure, all failures are forgotten. */
  memory: number
  /** The time in which one failure is forgotten. */
  leak: number
}

export const pairPolicy: LockOutPolicy = { freeFailures: 5, memory: day, leak: Infinity }
export const addressPolicy: LockOutPolicy = { freeFailures: 50, memory: hour, leak: hour / 50 }
export const accountPolicy: LockOutPolicy = { freeFailures: 30, memory: hour, leak: hour / 30 }

export type Failures = { failures: number; lastFailedAt: Date; blockedUntil: Date | null }
export type PairFailures = Failures & { lastSucceededAt: Date | null }

const delays = [1, 5, 15, 30, 60].map((minutes) => minutes * minute)

/** How long counters are kept after the last failure, and after the last success of a pair. */
export const failureMemory = day
export const successMemory = 30 * day

export function delayAfter(failures: number, { freeFailures }: LockOutPolicy): number {
  if (failures < freeFailures) return 0
  return delays[Math.min(failures - freeFailures, delays.length - 1)]!
}

export function isBlocked({ blockedUntil }: Failures, now: Date): boolean {
  return blockedUntil !== null && blockedUntil > now
}

export function isKnown({ lastSucceededAt }: PairFailures, now: Date): boolean {
  return lastSucceededAt !== null && now.getTime() - lastSucceededAt.getTime() < successMemory
}

/** Until when an attempt has to wait; null: it may be made now. */
export function waitOf(pair: PairFailures, others: readonly Failures[], now: Date): Date | null {
  const blocking = [pair, ...(isKnown(pair, now) ? [] : others)].filter((counter) => isBlocked(counter, now))
  const waits = blocking.flatMap(({ blockedUntil }) => blockedUntil?.getTime() ?? [])
  return waits.length > 0 ? new Date(Math.max(...waits)) : null
}

/** The counter after one more failure. */
export function afterFailure(before: Failures, policy: LockOutPolicy, now: Date): Failures {
  const failures = remembered(before, policy, now) + 1
  return { failures, lastFailedAt: now, blockedUntil: blockAfter(failures, policy, now) }
}

/**
 * The counter when the failure counted in advance was in fact a success: its earlier value, unless others have failed
 * in the meantime. Their failures stay, or an attacker could clear them by signing in to an account of their own.
 */
export function afterSuccess(
  current: Failures,
  before: Failures,
  policy: LockOutPolicy,
  countedAt: Date,
): Failures {
  const counted = afterFailure(before, policy, countedAt)
  const isUntouched =
    current.failures === counted.failures && current.lastFailedAt.getTime() === countedAt.getTime()
  if (isUntouched) return before
  const failures = Math.max(current.failures - 1, 0)
  return { ...current, failures, blockedUntil: blockAfter(failures, policy, current.lastFailedAt) }
}

function remembered(
  { failures, lastFailedAt }: Failures,
  { memory, leak }: LockOutPolicy,
  now: Date,
): number {
  const elapsed = Math.max(0, now.getTime() - lastFailedAt.getTime())
  return elapsed > memory ? 0 : Math.max(0, failures - Math.floor(elapsed / leak))
}

function blockAfter(failures: number, policy: LockOutPolicy, now: Date): Date | null {
  const delay = delayAfter(failures, policy)
  return delay > 0 ? new Date(now.getTime() + delay) : null
}
