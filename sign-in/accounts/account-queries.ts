import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import type { Registration, SignInTables } from '@kelisim/db/schema/sign-in.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { hashPassword } from './password-hash.ts'

export type Account = Selectable<SignInTables['signInAccounts']>

export type NewAccount = {
  email: string
  fullName: string
  /** null: this person signs in another way, or sets a password by "forgotten password". */
  password: string | null
  language: Language
  /** null: signing in with the password needs an address confirmed by e-mail first. */
  confirmedAt: Date | null
  /** Proved by a digital signature. */
  iin?: string
}

/** Creates the account and returns its id, the OpenID `sub`. */
export async function createAccount(tx: Tx, account: NewAccount, now: Date): Promise<string> {
  const { email, fullName, password, language, confirmedAt, iin = null } = account
  const passwordHash = password === null ? null : await hashPassword(password)
  const id = newId(now.getTime())
  await tx
    .insertInto('signInAccounts')
    .values({
      id,
      email: normalEmail(email),
      fullName,
      passwordHash,
      language,
      emailConfirmedAt: confirmedAt,
      iin,
      createdAt: now,
    })
    .execute()
  return id
}

/** An account for a confirmed registration; null when the address got one in the meantime. */
export async function createConfirmedAccount(
  tx: Tx,
  registration: Registration,
  passwordHash: string,
  now: Date,
): Promise<string | null> {
  const created = await tx
    .insertInto('signInAccounts')
    .values({
      id: newId(now.getTime()),
      email: registration.email,
      fullName: registration.fullName,
      passwordHash,
      language: registration.language,
      emailConfirmedAt: now,
      iin: null,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  return created?.id ?? null
}

export function findAccountByEmail(db: Db, email: string): Promise<Account | undefined> {
  return db
    .selectFrom('signInAccounts')
    .selectAll()
    .where('email', '=', normalEmail(email))
    .executeTakeFirst()
}

/** Finds the account whose owner has proved this IIN by a digital signature. */
export function findAccountByIin(db: Db, iin: string): Promise<Account | undefined> {
  return db.selectFrom('signInAccounts').selectAll().where('iin', '=', iin).executeTakeFirst()
}

/** Gives a new account its IIN. False if another account has this IIN, or this account has another one. */
export function setIin(tx: Tx, accountId: string, iin: string): Promise<boolean> {
  return saveIin(tx, accountId, { iin, iinLinkedAt: null })
}

/**
 * Links an IIN to an existing account whose password was typed. The time is kept because a later change of the password
 * unlinks the IIN: whoever knew the old password may have linked a number of their own.
 */
export function linkIin(tx: Tx, accountId: string, iin: string, now: Date): Promise<boolean> {
  return saveIin(tx, accountId, { iin, iinLinkedAt: now })
}

async function saveIin(
  tx: Tx,
  accountId: string,
  number: { iin: string; iinLinkedAt: Date | null },
): Promise<boolean> {
  const taken = await findAccountByIin(tx, number.iin)
  if (taken) return taken.id === accountId
  const { numUpdatedRows } = await tx
    .updateTable('signInAccounts')
    .set(number)
    .where('id', '=', accountId)
    .where('iin', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Unlinks an IIN that was linked by password: whoever knew the password may have linked a key of their own. */
export async function unlinkIin(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable('signInAccounts')
    .set({ iin: null, iinLinkedAt: null })
    .where('id', '=', accountId)
    .where('iinLinkedAt', 'is not', null)
    .execute()
}

export function findAccountById(db: Db, id: string): Promise<Account | undefined> {
  return db.selectFrom('signInAccounts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that what is read holds until the end of the transaction. */
export function lockAccount(tx: Tx, id: string): Promise<Account | undefined> {
  return tx.selectFrom('signInAccounts').selectAll().where('id', '=', id).forShare().executeTakeFirst()
}

/** Whether all sessions have ended since the account was read, as a new password does. */
export function haveSessionsEnded(
  read: Pick<Account, 'sessionsValidFrom'>,
  current: Pick<Account, 'sessionsValidFrom'>,
): boolean {
  return read.sessionsValidFrom?.getTime() !== current.sessionsValidFrom?.getTime()
}

export async function setPassword(tx: Tx, accountId: string, passwordHash: string): Promise<void> {
  await tx.updateTable('signInAccounts').set({ passwordHash }).where('id', '=', accountId).execute()
}

/** Replaces the password that was checked; false when it was changed since. */
export async function replacePassword(tx: Tx, account: Account, passwordHash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('signInAccounts')
    .set({ passwordHash })
    .where('id', '=', account.id)
    .where('passwordHash', '=', account.passwordHash)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Opening a link that was sent to the address proves the address. */
export async function markEmailConfirmed(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('signInAccounts')
    .set({ emailConfirmedAt: now })
    .where('id', '=', accountId)
    .where('emailConfirmedAt', 'is', null)
    .execute()
}

export function normalEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}
