/**
 * Codes by which the holder of a printed document opens what was signed (DECISIONS.md 7): letters and digits to type, or a
 * QR code to scan. Which of them a request has, and until when, is chosen by its author.
 */
import { day, hour, minute, second } from '../durations.ts'
import { accessCodes } from './contract.ts'

export type CodeKind = 'letters' | 'qr'

/** Without those that look like another: 0 O, 1 I L, 2 Z, 5 S, 8 B, U V. */
export const codeLetters = 'ACDEFGHJKMNPQRTWXY34679'
export const codeLength = 8

/** As people type it: small letters, gaps, dashes. Null: nobody gives out such a code. */
export function readCode(typed: string): { kind: CodeKind; code: string } | null {
  const bare = typed.trim()
  if (/^[\w-]{22}$/.test(bare)) return { kind: 'qr', code: bare }
  const letters = bare.replaceAll(/[\s-]/g, '').toUpperCase()
  const isCode = letters.length === codeLength && letters.split('').every((one) => codeLetters.includes(one))
  return isCode ? { kind: 'letters', code: letters } : null
}

/** `bytes` are random. Those that would make one letter likelier than another are left out. */
export function lettersFrom(bytes: Uint8Array): string | null {
  const fair = 256 - (256 % codeLetters.length)
  const letters = Array.from(bytes)
    .filter((byte) => byte < fair)
    .slice(0, codeLength)
    .map((byte) => codeLetters[byte % codeLetters.length]!)
  return letters.length === codeLength ? letters.join('') : null
}

/** The last day counts; `today` is a date in Almaty. */
export function isOpenBy(
  kind: CodeKind,
  request: { additionalComponents: number; accessCodeExpiresOn: string | null },
  today: string,
): boolean {
  const name = kind === 'qr' ? 'QrAccessCode' : 'AlphaNumericAccessCode'
  const { additionalComponents, accessCodeExpiresOn: last } = request
  return accessCodes.has(additionalComponents, name) && (last === null || today <= last)
}

const freeTries = 5
const longestPause = 15 * minute
export const forgottenAfter = day
/**
 * Where no request is named, a code may be any of all that were given out. Among 23^8 so few guesses an hour, from however
 * many addresses they come, hit one of ten thousand codes once in nine years; QR codes and those tried at their own request
 * do not wait for it.
 */
export const mostWrongInAll = 100

/** `at`: of the last one; of everybody's, when the hour began in which they are counted. */
export type CodeTries = { wrong: number; at: Date }

/** Milliseconds to wait before the next try: none at first, then twice as long after each wrong one. */
export function pauseBefore(tries: CodeTries | undefined, now: Date): number {
  if (!tries) return 0
  const { wrong } = tries
  const ago = sinceThen(tries, now)
  if (wrong < freeTries || ago >= forgottenAfter) return 0
  return Math.max(0, Math.min(second * 2 ** (wrong - freeTries + 1), longestPause) - ago)
}

/** One more wrong one; those of yesterday are forgotten. */
export function withWrong(tries: CodeTries | undefined, now: Date): CodeTries {
  const isFresh = tries !== undefined && now.getTime() - tries.at.getTime() < forgottenAfter
  return { wrong: isFresh ? Math.min(tries.wrong + 1, 1000) : 1, at: now }
}

/** The same for everybody together: the rest of the hour, once there were too many in it. */
export function pauseForAll(tries: CodeTries | undefined, now: Date): number {
  if (!tries || tries.wrong < mostWrongInAll) return 0
  return Math.max(0, hour - sinceThen(tries, now))
}

export function withWrongOfAll(tries: CodeTries | undefined, now: Date): CodeTries {
  const isSameHour = tries !== undefined && sinceThen(tries, now) < hour
  return isSameHour ? { ...tries, wrong: tries.wrong + 1 } : { wrong: 1, at: now }
}

/** A clock that was set back makes nobody wait for longer than it says. */
function sinceThen({ at }: CodeTries, now: Date): number {
  return Math.max(0, now.getTime() - at.getTime())
}
