/**
 * Sending a document without an account, from the landing:
 *
 *   captcha ──▶ token ──▶ begun with file and people ──▶ signed ──▶ a request with a tracking link
 *                30 min, one use                  within a day
 *
 * A signature over a document does not sign anybody in: the sender gets a link that shows this one request.
 */
import { day, hour, minute } from '../durations.ts'
import { harmless } from '../mail/email.ts'
import { longestRequestName } from '../requests/contract.ts'
import type { CertificateOwner } from '../signatures/owner.ts'

export const tokenLife = 30 * minute
/** Transactions that are not signed within this time are removed with their files. */
export const transactionLife = day
/** Long enough for a request to be completed. */
export const trackingLife = 180 * day
/** Limited, because each try causes a full check of a signature. */
export const mostTries = 10

/** Daily limits. E-mails go to people who did not ask for them, so there are few to one address. */
export const dailyLimits = {
  /** Transactions from one network, which may be an office. */
  network: 30,
  /** Documents sent with keys of one number. */
  sender: 20,
  /** E-mails to one recipient from all senders without an account; and to one sender. */
  recipient: 10,
  senderEmail: 20,
} as const
export type LimitOf = keyof typeof dailyLimits

/**
 * A key of an organisation acts for the organisation, a personal key for the person. Null: the certificate has no
 * number.
 */
export function senderNumber({ bin, iin }: Pick<CertificateOwner, 'bin' | 'iin'>): string | null {
  return bin ?? iin
}

/** The tolerated error of clocks. */
const clockError = 15 * minute

/** Signing and sending are one step, so an older signature is suspicious. */
const freshFor = hour

/**
 * Whether a signature was made for this transaction. Recipients of a document also have its signatures, so an older
 * signature may have been made for something else. A timestamp does not help, because an old signature can be stamped
 * today: the signed signing time must be present and recent.
 */
export function isFresh(
  { timestampTime, signingTime }: { timestampTime: Date | null; signingTime: Date | null },
  { begunAt, now }: { begunAt: Date; now: Date },
): boolean {
  if (signingTime === null) return false
  const earliest = Math.max(begunAt.getTime() - clockError, now.getTime() - freshFor)
  const latest = now.getTime() + clockError
  return [signingTime, timestampTime ?? signingTime].every(
    (made) => made.getTime() >= earliest && made.getTime() <= latest,
  )
}

/**
 * The name of the request: that of the file without extension and links. It is shortened here, because removing links
 * makes a text longer, which the database would refuse only after signing.
 */
export function requestName(fileName: string): string {
  const stem = harmless(fileName.replace(/\.[^.]+$/, ''), longestRequestName)
  return stem === '' ? harmless(fileName, longestRequestName) : stem
}
