/** Saves the people who sign in; they are recognised the next time by issuer and subject. */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import type { AccountClaims, OutsiderClaims } from './claims.ts'

export async function saveUser(
  tx: Tx,
  claims: AccountClaims,
  agreement: string | null,
  now: Date,
): Promise<string> {
  const { issuer, subject, login, fullName, email, isEmailConfirmed } = claims
  const accepted = agreement && { agreementVersion: agreement, agreementAcceptedAt: now }
  const user = await tx
    .insertInto('users')
    .values({
      id: newId(now.getTime()),
      issuer,
      subject,
      login,
      fullName,
      email,
      isEmailConfirmed,
      ...(claims.language && { language: claims.language }),
      agreementVersion: agreement,
      agreementAcceptedAt: agreement === null ? null : now,
      createdAt: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['issuer', 'subject'])
        .doUpdateSet({ login, fullName, email, isEmailConfirmed, ...accepted }),
    )
    .returning(['id', 'iin'])
    .executeTakeFirstOrThrow()
  if (claims.iin !== null && claims.iin !== user.iin) await linkIin(tx, user.id, claims.iin)
  return user.id
}

/**
 * Links the IIN to this person; false if another user of the same sign-in service has it. Concurrent calls run one
 * after the other.
 */
export async function linkIin(tx: Tx, userId: string, iin: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`iin ${iin}`}, 0))`.execute(tx)
  const linked = await tx
    .updateTable('users as u')
    .set({ iin })
    .where('u.id', '=', userId)
    .where(
      sql<boolean>`not exists (
        select from users other where other.issuer = u.issuer and other.iin = ${iin} and other.id <> u.id)`,
    )
    .executeTakeFirst()
  return linked.numUpdatedRows > 0n
}

/**
 * A signature proves the IIN of whoever gave it, as signing in does: false if the account is of another person, or if the
 * IIN belongs to another account. An id without an account is left alone.
 */
export async function claimIin(tx: Tx, userId: string, iin: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('iin')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user) return true
  return user.iin === null ? linkIin(tx, userId, iin) : user.iin === iin
}

export async function saveOutsider(tx: Tx, claims: OutsiderClaims, now: Date): Promise<string> {
  const { issuer, subject, iin, bin, fullName, organization, givenKey } = claims
  const outsider = await tx
    .insertInto('outsiders')
    .values({
      id: newId(now.getTime()),
      issuer,
      subject,
      iin,
      bin,
      fullName,
      organization,
      givenKey,
      language: claims.language ?? defaultLanguage,
      createdAt: now,
      lastCameAt: now,
    })
    .onConflict((conflict) =>
      conflict.constraint('outsiders_key').doUpdateSet({ fullName, organization, givenKey, lastCameAt: now }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return outsider.id
}
