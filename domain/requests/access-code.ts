/**
 * Codes with which the holder of a printed document opens the request (docs/product/verify.md#q-12): letters and
 * digits to type, or a QR code to scan. The author chooses which of them a request has, and until when they are
 * valid.
 */
import { day, hour, minute, second } from '../durations.ts'
import { accessCodes } from './contract.ts'

export type CodeKind = 'letters' | 'qr'

/** Without characters that look alike: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
export const codeLetters = 'ACDEFGHJKMNPQRTWXY34679'
export const codeLength = 8

/** Accepts lower case, spaces and dashes; null if the text cannot be a code. */
export function readCode(typed: string): { kind: CodeKind; code: string } | null {
  const bare = typed.trim()
  if (/^[\w-]{22}$/.test(bare)) return { kind: 'qr', code: bare }
  const letters = bare.replaceAll(/[\s-]/g, '').toUpperCase()
  const isCode = letters.length === codeLength && letters.split('').every((one) => codeLetters.includes(one))
  return isCode ? { kind: 'letters', code: letters } : null
}

/** A code from random bytes; byte values that would make some letters more likely are skipped. */
export function lettersFrom(bytes: Uint8Array): string | null {
  const fair = 256 - (256 % codeLetters.length)
  const letters = Array.from(bytes)
    .filter((byte) => byte < fair)
    .slice(0, codeLength)
    .map((byte) => codeLetters[byte % codeLetters.length]!)
  return letters.length === codeLength ? letters.join('') : null
}

/** Whether a code would already have expired, so that it is not issued; `today` is a date in Almaty. */
export function isPast(lastDay: string | null, today: string): boolean {
  return lastDay !== null && lastDay < today
}

/** Whether a code of this kind opens the request, up to and including its last day; `today` is a date in Almaty. */
export function isOpenBy(
  kind: CodeKind,
  request: { additionalComponents: number; accessCodeExpiresOn: string | null },
  today: string,
): boolean {
  const name = kind === 'qr' ? 'QrAccessCode' : 'AlphaNumericAccessCode'
  const { additionalComponents, accessCodeExpiresOn: last } = request
  return accessCodes.has(additionalComponents, name) && !isPast(last, today)
}

/**
 * How the tries of one network are slowed down: some are free, then each pause is doubled, up to a quarter of an
 * hour.
 */
export type Curve = { free: number; firstPause: number }
/** At one request: a network that keeps trying has ten tries in the first hour, and four in each hour after it. */
export const atOneRequest: Curve = { free: 3, firstPause: 30 * second }
/**
 * Where no request is named: gentle, because thousands share an address of a mobile operator; there `mostWrongInAll`
 * limits all networks together.
 */
export const atAnyRequest: Curve = { free: 5, firstPause: 2 * second }
const longestPause = 15 * minute
export const forgottenAfter = day
/**
 * The most wrong tries of all networks in an hour where no request is named. There a guess may hit any code: out of
 * 23^8 possible codes, one of ten thousand valid codes is hit once in nine years. QR codes are not limited by it.
 */
export const mostWrongInAll = 100
/**
 * The most wrong tries of all networks in an hour at one request: so many that a few networks cannot lock out others.
 * In a year these are at most 1000 · 24 · 365 guesses at the 50 codes that a request may have, out of 23^8: a chance
 * of 0.6 % for somebody who never pauses.
 */
export const mostWrongAtRequest = 1000

/** `at` is the time of the last wrong try; in the count of all networks, the start of the hour. */
export type CodeTries = { wrong: number; at: Date }

/** Milliseconds until the next try: none at first, then doubled with each wrong try. */
export function pauseBefore(tries: CodeTries | undefined, now: Date, { free, firstPause }: Curve): number {
  if (!tries) return 0
  const { wrong } = tries
  const ago = sinceThen(tries, now)
  if (wrong < free || ago >= forgottenAfter) return 0
  return Math.max(0, Math.min(firstPause * 2 ** (wrong - free), longestPause) - ago)
}

/**
 * Counts one more wrong try. One is forgotten for each quarter of an hour without any, so that the slips of many
 * people who share a network never add up; constant guessing is slowed to the longest pause in any case.
 */
export function withWrong(tries: CodeTries | undefined, now: Date): CodeTries {
  if (!tries) return { wrong: 1, at: now }
  const ago = sinceThen(tries, now)
  const left = ago < forgottenAfter ? Math.max(0, tries.wrong - Math.floor(ago / longestPause)) : 0
  return { wrong: Math.min(left + 1, 1000), at: now }
}

/** The pause for all networks together: the rest of the hour after too many wrong tries. */
export function pauseForAll(tries: CodeTries | undefined, now: Date, most: number): number {
  if (!tries || tries.wrong < most) return 0
  return Math.max(0, hour - sinceThen(tries, now))
}

export function withWrongOfAll(tries: CodeTries | undefined, now: Date): CodeTries {
  const isSameHour = tries !== undefined && sinceThen(tries, now) < hour
  return isSameHour ? { ...tries, wrong: tries.wrong + 1 } : { wrong: 1, at: now }
}

/** Setting the clock back must not prolong the wait. */
function sinceThen({ at }: CodeTries, now: Date): number {
  return Math.max(0, now.getTime() - at.getTime())
}
