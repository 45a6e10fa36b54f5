/**
 * Challenges that people sign to sign in: new bytes each time, which name this service and belong to the sign-in of one
 * browser. Each accepts one response, for a few minutes; a signature of anything else is refused.
 *
 *   desktop: new ──response──▶ proved | refused
 *   phone:   new ──▶ opened ──▶ fetched ──response──▶ signed | refused | canceled
 *            signed ──the code of the phone, typed in the browser──▶ proved | mismatched
 */
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { SignatureProof, SignInTables, StoredPlace } from '@kelisim/db/schema/sign-in.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type Challenge = Selectable<SignInTables['signInChallenges']>

export const challengeLifetime = 5 * minute
/** Enough to try every key one has; more requests do not come from a person. */
const maxPerSignIn = 30

/** The text to sign in the desktop program, or the place of the browser that shows a QR code to a phone. */
type NewChallenge = { interactionUid: string } & (
  | { via: 'desktop'; title: string; origin: string }
  | { via: 'phone'; place: StoredPlace }
)

/** Null: this sign-in has requested too many challenges. */
export async function issueChallenge(tx: Tx, wanted: NewChallenge, now: Date): Promise<Challenge | null> {
  const { interactionUid, via } = wanted
  const { count } = await tx
    .selectFrom('signInChallenges')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('interactionUid', '=', interactionUid)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPerSignIn) return null
  return tx
    .insertInto('signInChallenges')
    .values({
      id: randomBytes(24).toString('base64url'),
      interactionUid,
      via,
      content: wanted.via === 'desktop' ? challengeText([wanted.title, wanted.origin], now) : null,
      place: wanted.via === 'phone' ? JSON.stringify(wanted.place) : null,
      state: 'new',
      faults: null,
      proof: null,
      readingId: null,
      answerHash: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + challengeLifetime),
      usedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The lines for the person, then the moment and a random number, which make every text a new one. */
export function challengeText(lines: readonly string[], now: Date): Buffer {
  const nonce = randomBytes(32).toString('base64url')
  return Buffer.from([...lines, now.toISOString(), nonce, ''].join('\n'))
}

/** Finds challenges of this sign-in only, so that other browsers cannot use them. */
export function findChallenge(db: Db, id: string, interactionUid: string): Promise<Challenge | undefined> {
  return db
    .selectFrom('signInChallenges')
    .selectAll()
    .where('id', '=', id)
    .where('interactionUid', '=', interactionUid)
    .executeTakeFirst()
}

/** Hands the challenge to the first response of the desktop program only, because the update locks the row. */
export function takeChallenge(
  tx: Tx,
  { id, interactionUid }: { id: string; interactionUid: string },
  now: Date,
): Promise<Challenge | undefined> {
  return tx
    .updateTable('signInChallenges')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('interactionUid', '=', interactionUid)
    .where('via', '=', 'desktop')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

export type SignatureResult = { proof: SignatureProof } | { faults: Fault[] }

/** When the same response is checked twice, the first result is kept. */
export async function saveResult(
  tx: Tx,
  { id, via }: Pick<Challenge, 'id' | 'via'>,
  result: SignatureResult,
): Promise<void> {
  const values =
    'proof' in result
      ? {
          state: via === 'phone' ? ('signed' as const) : ('proved' as const),
          proof: JSON.stringify(result.proof),
        }
      : { state: 'refused' as const, faults: JSON.stringify(result.faults) }
  await tx
    .updateTable('signInChallenges')
    .set(values)
    .where('id', '=', id)
    .where('state', 'in', ['new', 'opened', 'fetched'])
    .execute()
}

/** The latest proof of a sign-in while it is fresh: a person without an account continues with it. */
export async function findProof(db: Db, interactionUid: string, now: Date): Promise<SignatureProof | null> {
  const row = await db
    .selectFrom('signInChallenges')
    .select('proof')
    .where('interactionUid', '=', interactionUid)
    .where('state', '=', 'proved')
    .where('usedAt', '>', new Date(now.getTime() - 30 * minute))
    .orderBy('usedAt', 'desc')
    .executeTakeFirst()
  return row?.proof ?? null
}

export async function forgetOldChallenges(tx: Tx, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - 24 * 60 * minute)
  await tx.deleteFrom('signInChallenges').where('expiresAt', '<', longAgo).execute()
}
