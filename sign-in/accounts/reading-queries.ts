/**
 * Each phone that reads the QR code of a sign-in gets a text, a code and a token of its own. So whoever shows a code to
 * somebody else, and reads it too, does not learn what the other phone shows.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { SignInTables } from '@kelisim/db/schema/sign-in.ts'
import {
  isCodeRight,
  mostCodeTries,
  mostReadings,
  phoneCodeDigits,
} from '@kelisim/domain/signatures/phone-sign-in.ts'
import type { Challenge } from './challenge-queries.ts'

export type Reading = Selectable<SignInTables['signInReadings']>

export function findPhoneChallenge(db: Db, id: string): Promise<Challenge | undefined> {
  return db
    .selectFrom('signInChallenges')
    .selectAll()
    .where('id', '=', id)
    .where('via', '=', 'phone')
    .executeTakeFirst()
}

/** Null: the QR code was read too often. */
export async function addReading(
  tx: Tx,
  challengeId: string,
  { contentFor, isOnSamePhone }: { contentFor: (code: string) => Buffer; isOnSamePhone: boolean },
  now: Date,
): Promise<Reading | null> {
  await lockChallenge(tx, challengeId)
  const { count } = await tx
    .selectFrom('signInReadings')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('challengeId', '=', challengeId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= mostReadings) return null
  await saveProgress(tx, challengeId, 'opened')
  const code = String(randomInt(10 ** phoneCodeDigits)).padStart(phoneCodeDigits, '0')
  return tx
    .insertInto('signInReadings')
    .values({
      id: randomBytes(24).toString('base64url'),
      challengeId,
      token: newSecret(),
      code,
      content: contentFor(code),
      returnSecret: isOnSamePhone ? newSecret() : null,
      createdAt: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findReading(
  db: Db,
  id: string,
): Promise<{ reading: Reading; challenge: Challenge } | null> {
  const reading = await db.selectFrom('signInReadings').selectAll().where('id', '=', id).executeTakeFirst()
  const challenge = reading && (await findPhoneChallenge(db, reading.challengeId))
  return challenge ? { reading, challenge } : null
}

export function isTokenOf({ token }: Reading, presented: string): boolean {
  return isSameSecret(token, presented)
}

/** Saves the phone's progress; never changes it once there is a response. */
export async function saveProgress(tx: Tx, challengeId: string, state: 'opened' | 'fetched'): Promise<void> {
  await tx
    .updateTable('signInChallenges')
    .set({ state })
    .where('id', '=', challengeId)
    .where('usedAt', 'is', null)
    .where('state', 'in', state === 'opened' ? ['new'] : ['new', 'opened'])
    .execute()
}

/** The first phone that answers takes the challenge. Undefined: it was answered already, or has expired. */
export function answerChallenge(
  tx: Tx,
  { id, challengeId }: Reading,
  answerHash: Buffer,
  isCanceled: boolean,
  now: Date,
): Promise<Challenge | undefined> {
  return tx
    .updateTable('signInChallenges')
    .set({ usedAt: now, readingId: id, answerHash })
    .$if(isCanceled, (query) => query.set({ state: 'canceled' }))
    .where('id', '=', challengeId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** What the browser presents: the code that the phone shows, or the secret with which the phone sends it back. */
export type PresentedCode = { code: string; returnSecret: string }
export type CodeResult = 'right' | 'wrong' | 'mismatched' | 'over'

/**
 * The browser that began the sign-in presents the code. One slip is allowed; after that the signature counts for
 * nothing.
 */
export async function presentCode(
  tx: Tx,
  challengeId: string,
  presented: PresentedCode,
): Promise<CodeResult> {
  const challenge = await lockChallenge(tx, challengeId)
  if (challenge?.state === 'proved') return 'right'
  if (challenge?.state !== 'signed' || challenge.readingId === null) return 'over'
  const found = await findReading(tx, challenge.readingId)
  if (!found) return 'over'
  if (isPresentedRight(found.reading, presented)) {
    await tx.updateTable('signInChallenges').set({ state: 'proved' }).where('id', '=', challengeId).execute()
    return 'right'
  }
  const codeTries = challenge.codeTries + 1
  const isLast = codeTries >= mostCodeTries
  await tx
    .updateTable('signInChallenges')
    .set({ codeTries })
    .$if(isLast, (query) => query.set({ state: 'mismatched', proof: null }))
    .where('id', '=', challengeId)
    .execute()
  return isLast ? 'mismatched' : 'wrong'
}

function isPresentedRight({ code, returnSecret }: Reading, presented: PresentedCode): boolean {
  if (returnSecret !== null && isSameSecret(returnSecret, presented.returnSecret)) return true
  return isCodeRight(presented.code, code)
}

function lockChallenge(tx: Tx, id: string): Promise<Challenge | undefined> {
  return tx.selectFrom('signInChallenges').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Compared as digests of equal length, whatever the input. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hashOf(one), hashOf(other))
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
