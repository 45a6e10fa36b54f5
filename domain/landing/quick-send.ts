/**
 * Sending a document without an account, from the landing:
 *
 *   captcha ──▶ token ──▶ begun with file and people ──▶ signed ──▶ a request, followed by a link of its own
 *                30 min, one use                  within a day
 *
 * A signature over a document is no way in: whoever sends gets a link that shows the state of that one request.
 */
import { day, hour, minute } from '../durations.ts'
import type { CertificateOwner } from '../signatures/owner.ts'

export const tokenLife = 30 * minute
/** What was begun and not signed by then is removed with its file. */
export const transactionLife = day
/** As long as the document may still be on its way; whoever wants more has an account. */
export const trackingLife = 180 * day
/** Each is a whole examination. */
export const mostTries = 10

/** Within a day. Letters go to people who did not ask for them, so there are few to one address, whoever sends. */
export const dailyLimits = {
  /** Transactions begun from one network: an office behind one address. */
  network: 30,
  /** Sent with keys of one number. */
  sender: 20,
  /** Letters to one recipient, from all who send without an account; and to one sender. */
  recipient: 10,
  senderEmail: 20,
} as const
export type LimitOf = keyof typeof dailyLimits

/** With a key of an organisation one speaks for it, otherwise for oneself. Null: the key names nobody. */
export function senderNumber({ bin, iin }: Pick<CertificateOwner, 'bin' | 'iin'>): string | null {
  return bin ?? iin
}

/** Clocks of people go wrong by so much. */
const clockError = 15 * minute

/** From the signature to its sending it is one step: nobody waits for what somebody signs elsewhere. */
const freshFor = hour

/**
 * A signature over a document can be had by whoever got the document: one that was made before the sending began was made
 * for something else. A timestamp says that it is no younger, and anybody can have an old one stamped today: so the time that
 * the signer signed must be there and fit, whatever a timestamp says beside it.
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
 * What the request is called: as the file, without its ending and without anything that could be a link. Mail programs make
 * links of bare names of sites and of addresses too: a gap after the dot keeps them from it, and spoils no name.
 */
export function requestName(fileName: string): string {
  const stem = fileName.replace(/\.[^.]+$/, '')
  const harmless = withoutSites(stem.replaceAll(/[a-z0-9+.-]{0,20}:\/\/|www\./gi, ' '))
  return harmless === '' ? withoutSites(fileName) : harmless
}

function withoutSites(text: string): string {
  return text
    .replaceAll(/(?<=[\p{L}\p{N}-])([.\u3002\uff0e\uff61])(?=\p{L}{2})/gu, '$1 ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
