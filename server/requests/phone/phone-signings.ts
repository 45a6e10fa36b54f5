/**
 * A way for the phone to one document, of one person, at one point; answered once, within its time.
 *
 *   new ──▶ meta ──▶ data ──answer──▶ done | canceled | fail
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { day, minute } from '@kelisim/domain/durations.ts'
import { refuse, type Refusal } from '@kelisim/domain/errors.ts'
import { mobileSigningMinutes } from '@kelisim/domain/requests/phone-contract.ts'
import { partyOf, type Party } from '../core/party.ts'

export type MobileSigning = Selectable<Schema['mobileSignings']>

type Asked = Pick<
  MobileSigning,
  'requestId' | 'attempt' | 'pointId' | 'organizationId' | 'comment' | 'backTo'
>

export function addMobileSigning(
  tx: Tx,
  asked: Asked & ({ userId: string } | { outsiderId: string }),
  now: Date,
): Promise<MobileSigning> {
  return tx
    .insertInto('mobileSignings')
    .values({
      userId: null,
      outsiderId: null,
      refusal: null,
      signatureId: null,
      answerHash: null,
      ...asked,
      id: randomBytes(24).toString('base64url'),
      token: randomBytes(32).toString('base64url'),
      state: 'new',
      createdAt: now,
      expiresAt: new Date(now.getTime() + mobileSigningMinutes * minute),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findMobileSigning(db: Db, id: string): Promise<MobileSigning | undefined> {
  return db.selectFrom('mobileSignings').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Of two answers that come at once the second waits, and then finds that there is one. */
export function lockMobileSigning(tx: Tx, id: string): Promise<MobileSigning | undefined> {
  return tx.selectFrom('mobileSignings').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function isAnswered({ state }: MobileSigning): boolean {
  return state === 'done' || state === 'canceled' || state === 'fail'
}

/** Also one that begins in the future: a clock that was set back must not make it live longer. */
export function isOver({ createdAt, expiresAt }: MobileSigning, now: Date): boolean {
  return expiresAt <= now || createdAt.getTime() > now.getTime() + minute
}

export function isTokenOf({ token }: MobileSigning, said: string): boolean {
  return timingSafeEqual(hashOf(token), hashOf(said))
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** How far the phone has come; never back from an answer. */
export async function noteProgress(tx: Tx, id: string, state: 'meta' | 'data'): Promise<void> {
  await tx
    .updateTable('mobileSignings')
    .set({ state })
    .where('id', '=', id)
    .where('state', 'in', state === 'meta' ? ['new'] : ['new', 'meta'])
    .execute()
}

export type Outcome = { signatureId: string } | { refusal: Refusal } | 'canceled'

export async function noteOutcome(tx: Tx, id: string, outcome: Outcome, answerHash: Buffer): Promise<void> {
  const values =
    outcome === 'canceled'
      ? { state: 'canceled' as const }
      : 'signatureId' in outcome
        ? { state: 'done' as const, signatureId: outcome.signatureId }
        : { state: 'fail' as const, refusal: JSON.stringify(refusalIn(outcome.refusal)) }
  await tx
    .updateTable('mobileSignings')
    .set({ ...values, answerHash })
    .where('id', '=', id)
    .where('state', 'in', ['new', 'meta', 'data'])
    .execute()
}

function refusalIn({ alias, parameters }: Refusal) {
  return { alias, parameters }
}

/** Who asked, as they are now: who has left the organisation since then does not sign in its name. */
export async function partyBehind(db: Db, signing: MobileSigning, now: Date): Promise<Party> {
  const { userId, outsiderId, organizationId } = signing
  if (userId === null) {
    const outsider = await db
      .selectFrom('outsiders')
      .select(['id as outsiderId', 'iin', 'bin', 'fullName'])
      .where('id', '=', outsiderId)
      .executeTakeFirstOrThrow()
    return partyOf(db, outsider, now)
  }
  if (organizationId === null) return partyOf(db, { userId, member: null }, now)
  const member = await db
    .selectFrom('memberships')
    .select(['organizationId', 'roles'])
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return partyOf(db, { userId, member: member ?? refuse('organization-not-found') }, now)
}

export async function sweepMobileSignings(tx: Tx, now: Date): Promise<void> {
  const longAgo = new Date(now.getTime() - day)
  await tx.deleteFrom('mobileSignings').where('expiresAt', '<', longAgo).execute()
}
