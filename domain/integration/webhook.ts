/** Webhooks: when a call is retried, and when a webhook is switched off (docs/product/integration.md#w-10). */
import { day, hour, minute, second } from '../durations.ts'

export const mostWebhooks = 10
/** For how long both secrets sign after a new one was made. */
export const rotationTime = day
/** A receiver that has failed for this long is no longer called. */
export const longestFailure = 3 * day
/** For how long one message is retried. */
export const longestTrying = day

const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
]

export const offReasons = ['owner', 'gone', 'failing', 'member-left'] as const
export type OffReason = (typeof offReasons)[number]

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** The result of a call: the status of the response, or why there was none. */
export type CallResult = { status: number } | { failure: string }

export function isDelivered(result: CallResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300
}

export type Tried = {
  /** Attempts before this one. */
  attempts: number
  /** When the first attempt was made; null: this is the first. */
  firstTryAt: Date | null
}

export type Receiver = { failingSince: Date | null }

export type NextStep = {
  delivery: { state: DeliveryState; nextTryAt: Date | null }
  receiver: { failingSince: Date | null; offReason: OffReason | null }
}

/** With status 410 a receiver says that it wants no more messages. */
export function afterCall(result: CallResult, tried: Tried, receiver: Receiver, now: Date): NextStep {
  if (isDelivered(result)) {
    return {
      delivery: { state: 'delivered', nextTryAt: null },
      receiver: { failingSince: null, offReason: null },
    }
  }
  const failingSince = receiver.failingSince ?? now
  const isGone = 'status' in result && result.status === 410
  const isOver = now.getTime() - failingSince.getTime() >= longestFailure
  const offReason = isGone ? 'gone' : isOver ? 'failing' : null
  const nextTryAt = isGone ? null : nextTry(tried, now)
  return {
    delivery: { state: nextTryAt === null ? 'failed' : 'pending', nextTryAt },
    receiver: { failingSince, offReason },
  }
}

function nextTry({ attempts, firstTryAt }: Tried, now: Date): Date | null {
  const pause = pauses[Math.min(attempts, pauses.length - 1)]!
  const next = new Date(now.getTime() + pause)
  return next.getTime() - (firstTryAt ?? now).getTime() > longestTrying ? null : next
}

/** The secrets that sign now, the newest first; two while a receiver changes to the new one. */
export function secretsInForce(
  {
    secret,
    previousSecret,
    previousUntil,
  }: { secret: string; previousSecret: string | null; previousUntil: Date | null },
  now: Date,
): string[] {
  const isBefore = previousSecret !== null && previousUntil !== null && now < previousUntil
  return isBefore ? [secret, previousSecret] : [secret]
}
