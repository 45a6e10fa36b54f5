/**
 * A one-time code by which the phone of one person signs a document at a point, or several of one sender.
 *
 *   new ──▶ meta ──▶ data ──answer──▶ done | canceled | fail
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { day, minute } from '@kelisim/domain/durations.ts'
import { refuse, type Refusal } from '@kelisim/domain/errors.ts'
import { mobileSigningMinutes } from '@kelisim/domain/requests/phone-contract.ts'
import { partyOf, type Party } from '../core/party.ts'
import {
  addMobileSigningRow,
  findMembership,
  getOutsider,
  removeMobileSignings,
  updateMobileSigning,
  type MobileSigning,
} from './queries.ts'

type NewMobileSigning = Pick<
  MobileSigning,
  'requestId' | 'attempt' | 'pointId' | 'also' | 'organizationId' | 'comment' | 'backTo'
> &
  ({ userId: string } | { outsiderId: string })

export function addMobileSigning(tx: Tx, signing: NewMobileSigning, now: Date): Promise<MobileSigning> {
  return addMobileSigningRow(tx, {
    userId: null,
    outsiderId: null,
    refusal: null,
    signatureId: null,
    answerHash: null,
    ...signing,
    also: signing.also && JSON.stringify(signing.also),
    id: randomBytes(24).toString('base64url'),
    token: randomBytes(32).toString('base64url'),
    state: 'new',
    createdAt: now,
    expiresAt: new Date(now.getTime() + mobileSigningMinutes * minute),
  })
}

export function isAnswered({ state }: MobileSigning): boolean {
  return state === 'done' || state === 'canceled' || state === 'fail'
}

/** A code that was created in the future counts as expired too: setting the clock back must not prolong it. */
export function isOver({ createdAt, expiresAt }: MobileSigning, now: Date): boolean {
  return expiresAt <= now || createdAt.getTime() > now.getTime() + minute
}

export function isTokenOf({ token }: MobileSigning, presented: string): boolean {
  return timingSafeEqual(hashOf(token), hashOf(presented))
}

export function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Saves how far the phone has come; a code that was answered does not go back. */
export async function saveProgress(tx: Tx, id: string, state: 'meta' | 'data'): Promise<void> {
  await updateMobileSigning(tx, id, state === 'meta' ? ['new'] : ['new', 'meta'], { state })
}

export type PhoneSigningResult = { signatureIds: readonly string[] } | { refusal: Refusal } | 'canceled'

export async function saveResult(
  tx: Tx,
  signing: MobileSigning,
  result: PhoneSigningResult,
  answerHash: Buffer,
): Promise<void> {
  const changes = { ...columnsOf(signing, result), answerHash }
  await updateMobileSigning(tx, signing.id, ['new', 'meta', 'data'], changes)
}

function columnsOf({ also }: MobileSigning, result: PhoneSigningResult) {
  if (result === 'canceled') return { state: 'canceled' as const }
  if ('signatureIds' in result) {
    const [signatureId = null, ...further] = result.signatureIds
    const signed = also?.map((one, i) => ({ ...one, signatureId: further[i]! }))
    return { state: 'done' as const, signatureId, also: signed ? JSON.stringify(signed) : null }
  }
  const { alias, parameters } = result.refusal
  return { state: 'fail' as const, refusal: JSON.stringify({ alias, parameters }) }
}

/** The person who asked for the code, as of now: a former member cannot sign for the organisation. */
export async function partyBehind(db: Db, signing: MobileSigning, now: Date): Promise<Party> {
  const { userId, outsiderId, organizationId } = signing
  if (userId === null) return partyOf(db, await getOutsider(db, outsiderId!), now)
  if (organizationId === null) return partyOf(db, { userId, member: null }, now)
  const member = await findMembership(db, { organizationId, userId })
  return partyOf(db, { userId, member: member ?? refuse('organization-not-found') }, now)
}

export async function sweepMobileSignings(tx: Tx, now: Date): Promise<void> {
  await removeMobileSignings(tx, new Date(now.getTime() - day))
}
