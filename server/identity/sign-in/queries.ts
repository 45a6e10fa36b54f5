/** Saves the people who sign in; they are recognised the next time by issuer and subject. */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { erasedIssuer, landingIssuer } from '@kelisim/domain/identity/own-issuers.ts'
import { newId } from '@kelisim/db/id.ts'
import { defaultLanguage } from '@kelisim/texts/languages.ts'
import type { AccountClaims, OutsiderClaims } from './claims.ts'

export async function saveUser(
  tx: Tx,
  claims: AccountClaims,
  agreement: string | null,
  now: Date,
  { isOwnService }: { isOwnService: boolean },
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
    .returning(['id', 'iin', 'isIinFromSignIn'])
    .executeTakeFirstOrThrow()
  await followNumber(tx, user, claims.iin, isOwnService)
  return user.id
}

/**
 * A number that was proved in the application stays, whatever the service reports. A number reported by the product's
 * own service is removed when that service no longer reports it; another service may leave it out.
 */
async function followNumber(
  tx: Tx,
  user: { id: string; iin: string | null; isIinFromSignIn: boolean },
  told: string | null,
  isOwnService: boolean,
): Promise<void> {
  if (told === user.iin || (user.iin !== null && !user.isIinFromSignIn)) return
  if (told !== null) await linkIin(tx, user.id, told, { isFromSignIn: true })
  else if (isOwnService)
    await tx
      .updateTable('users')
      .set({ iin: null, isIinFromSignIn: false })
      .where('id', '=', user.id)
      .execute()
}

/**
 * The person has proved the IIN by signing a challenge; false if another user of the same sign-in service has proved it.
 * Accounts that only signed documents with such a key lose it. Concurrent calls run one after the other.
 */
export async function linkIin(
  tx: Tx,
  userId: string,
  iin: string,
  { isFromSignIn = false } = {},
): Promise<boolean> {
  await lockIin(tx, iin)
  const linked = await tx
    .updateTable('users as u')
    .set({ iin, isIinFromSignIn: isFromSignIn, signingIin: null })
    .where('u.id', '=', userId)
    .where(
      sql<boolean>`not exists (
        select from users other where other.issuer = u.issuer and other.iin = ${iin} and other.id <> u.id)`,
    )
    .returning('u.issuer')
    .executeTakeFirst()
  if (!linked) return false
  await tx
    .updateTable('users')
    .set({ signingIin: null })
    .where('issuer', '=', linked.issuer)
    .where('signingIin', '=', iin)
    .execute()
  return true
}

/**
 * Whether this person may sign with a key of the IIN: the IIN is theirs, or it is nobody else's and the first one
 * they sign with. That proves nothing, because a signature over a document can be a copy
 * (docs/decisions/024-a-signature-signs-nobody-in.md). People without an account are not restricted.
 */
export async function claimSigningIin(tx: Tx, userId: string, iin: string): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select(['issuer', 'iin', 'signingIin'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!user || user.issuer === landingIssuer) return true
  if (user.issuer === erasedIssuer) return false
  const known = user.iin ?? user.signingIin
  if (known !== null) return known === iin
  await lockIin(tx, iin)
  const claimed = await tx
    .updateTable('users as u')
    .set({ signingIin: iin })
    .where('u.id', '=', userId)
    .where(
      sql<boolean>`not exists (
        select from users other
        where other.issuer = u.issuer and (other.iin = ${iin} or other.signing_iin = ${iin})
          and other.id <> u.id)`,
    )
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

async function lockIin(tx: Tx, iin: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`iin ${iin}`}, 0))`.execute(tx)
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
