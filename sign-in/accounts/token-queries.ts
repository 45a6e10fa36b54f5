/** Links in e-mails: 256 random bits, stored as SHA-256 only; each works once and expires soon. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Registration } from '@kelisim/db/schema/sign-in.ts'
import { hour } from '@kelisim/domain/durations.ts'

export const confirmLifetime = 24 * hour
export const resetLifetime = hour / 2

/** The uid of the sign-in in progress, to continue it afterwards. */
type Origin = { interactionUid: string | null }

/** Replaces earlier registrations of the address: only the newest is valid. */
export async function issueConfirmToken(
  tx: Tx,
  { registration, interactionUid }: { registration: Registration } & Origin,
  now: Date,
): Promise<string> {
  const token = newToken()
  await replaceRegistrations(tx, registration.email, now)
  await tx
    .insertInto('signInTokens')
    .values({
      sha256: digest(token),
      kind: 'confirm-email',
      accountId: null,
      registration: JSON.stringify(registration),
      interactionUid,
      createdAt: now,
      expiresAt: new Date(now.getTime() + confirmLifetime),
      usedAt: null,
    })
    .execute()
  return token
}

export async function issueResetToken(
  tx: Tx,
  { accountId, interactionUid }: { accountId: string } & Origin,
  now: Date,
): Promise<string> {
  const token = newToken()
  await tx
    .insertInto('signInTokens')
    .values({
      sha256: digest(token),
      kind: 'reset-password',
      accountId,
      registration: null,
      interactionUid,
      createdAt: now,
      expiresAt: new Date(now.getTime() + resetLifetime),
      usedAt: null,
    })
    .execute()
  return token
}

export type Confirmation = { registration: Registration } & Origin
export type Reset = { accountId: string } & Origin

export async function findConfirmation(
  db: Db,
  token: string,
  now: Date,
): Promise<Confirmation | 'replaced' | null> {
  const row = await liveToken(db, token, 'confirm-email', now).executeTakeFirst()
  if (!row?.registration) return null
  return row.replacedAt ? 'replaced' : { registration: row.registration, interactionUid: row.interactionUid }
}

/** The e-mail address that was confirmed by a link which has already been used. */
export async function confirmedAddress(db: Db, token: string): Promise<string | null> {
  const row = await db
    .selectFrom('signInTokens')
    .select('registration')
    .where('sha256', '=', digest(token))
    .where('kind', '=', 'confirm-email')
    .where('usedAt', 'is not', null)
    .executeTakeFirst()
  return row?.registration?.email ?? null
}

export async function findReset(db: Db, token: string, now: Date): Promise<Reset | null> {
  const row = await liveToken(db, token, 'reset-password', now).executeTakeFirst()
  return row?.accountId ? { accountId: row.accountId, interactionUid: row.interactionUid } : null
}

/** Marks the token as used. Of two concurrent calls one gets `true`, because the update locks the row. */
export async function useToken(tx: Tx, token: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('signInTokens')
    .set({ usedAt: now })
    .where('sha256', '=', digest(token))
    .where('usedAt', 'is', null)
    .where('replacedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** A changed password invalidates the reset links sent before. */
export async function revokeResets(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('signInTokens').where('accountId', '=', accountId).where('usedAt', 'is', null).execute()
}

export async function forgetOldTokens(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('signInTokens').where('expiresAt', '<', now).execute()
}

async function replaceRegistrations(tx: Tx, email: string, now: Date): Promise<void> {
  await tx
    .updateTable('signInTokens')
    .set({ replacedAt: now })
    .where(sql<string>`registration ->> 'email'`, '=', email)
    .where('usedAt', 'is', null)
    .where('replacedAt', 'is', null)
    .execute()
}

function liveToken(db: Db, token: string, kind: 'confirm-email' | 'reset-password', now: Date) {
  return db
    .selectFrom('signInTokens')
    .select(['accountId', 'registration', 'interactionUid', 'replacedAt'])
    .where('sha256', '=', digest(token))
    .where('kind', '=', kind)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
}

function newToken(): string {
  return randomBytes(32).toString('base64url')
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
