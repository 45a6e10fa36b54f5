/**
 * Challenges that people sign to sign in: new bytes each time, which name this service and belong to the sign-in of one
 * browser. Each accepts one response, for a few minutes; a signature of anything else is refused.
 *
 *   desktop: new ──response──▶ proved | refused
 *   phone:   new ──▶ opened ──▶ fetched ──response──▶ proved | refused | canceled
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { SignatureProof, SignInTables } from '@kelisim/db/schema/sign-in.ts'
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type Challenge = Selectable<SignInTables['signInChallenges']>
type Via = Challenge['via']

export const challengeLifetime = 5 * minute
/** Enough to try every key one has; more requests do not come from a person. */
const maxPerSignIn = 30

/** Null: this sign-in has requested too many. */
export async function issueChallenge(
  tx: Tx,
  { interactionUid, via, title, origin }: { interactionUid: string; via: Via; title: string; origin: string },
  now: Date,
): Promise<Challenge | null> {
  const { count } = await tx
    .selectFrom('signInChallenges')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('interactionUid', '=', interactionUid)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxPerSignIn) return null
  const nonce = randomBytes(32).toString('base64url')
  return tx
    .insertInto('signInChallenges')
    .values({
      id: randomBytes(24).toString('base64url'),
      interactionUid,
      via,
      content: Buffer.from([title, origin, now.toISOString(), nonce, ''].join('\n')),
      token: via === 'phone' ? randomBytes(32).toString('base64url') : null,
      state: 'new',
      faults: null,
      proof: null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + challengeLifetime),
      usedAt: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Only of this sign-in: challenges of other browsers are not found. */
export function findChallenge(db: Db, id: string, interactionUid: string): Promise<Challenge | undefined> {
  return db
    .selectFrom('signInChallenges')
    .selectAll()
    .where('id', '=', id)
    .where('interactionUid', '=', interactionUid)
    .executeTakeFirst()
}

export function findPhoneChallenge(db: Db, id: string): Promise<Challenge | undefined> {
  return db
    .selectFrom('signInChallenges')
    .selectAll()
    .where('id', '=', id)
    .where('via', '=', 'phone')
    .executeTakeFirst()
}

export function isTokenOf(challenge: Challenge, token: string): boolean {
  return challenge.token !== null && timingSafeEqual(digest(challenge.token), digest(token))
}

/** Of two concurrent responses one gets the challenge, because the update locks the row. */
export function takeChallenge(tx: Tx, id: string, via: Via, now: Date): Promise<Challenge | undefined> {
  return tx
    .updateTable('signInChallenges')
    .set({ usedAt: now })
    .where('id', '=', id)
    .where('via', '=', via)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** The phone's progress; never goes back once there is a response. */
export async function saveProgress(tx: Tx, id: string, state: 'opened' | 'fetched'): Promise<void> {
  await tx
    .updateTable('signInChallenges')
    .set({ state })
    .where('id', '=', id)
    .where('usedAt', 'is', null)
    .where('state', 'in', state === 'opened' ? ['new'] : ['new', 'opened'])
    .execute()
}

export type ChallengeResult = { proof: SignatureProof } | { faults: Fault[] } | 'canceled'

export async function saveResult(tx: Tx, id: string, outcome: ChallengeResult): Promise<void> {
  const values =
    outcome === 'canceled'
      ? { state: 'canceled' as const }
      : 'proof' in outcome
        ? { state: 'proved' as const, proof: JSON.stringify(outcome.proof) }
        : { state: 'refused' as const, faults: JSON.stringify(outcome.faults) }
  await tx.updateTable('signInChallenges').set(values).where('id', '=', id).execute()
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

/** Of equal length, whatever the input. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
