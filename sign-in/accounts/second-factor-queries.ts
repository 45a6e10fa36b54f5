/** SQL of two-step sign-in: the second factor that follows a password. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { SignInTables } from '@kelisim/db/schema/sign-in.ts'
import { day, minute } from '@kelisim/domain/durations.ts'
import { hashOfSpareCode, stepOfCode } from './one-time-code.ts'

export type SecondFactor = Selectable<SignInTables['signInSecondFactors']>
export type SecondStep = Selectable<SignInTables['signInSecondSteps']>

const stepLifetime = 10 * minute
/** How long after it was turned on a password set by e-mail turns two-step sign-in off. */
const freshFor = 7 * day

export function findSecondFactor(db: Db, accountId: string): Promise<SecondFactor | undefined> {
  return db
    .selectFrom('signInSecondFactors')
    .selectAll()
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

/** Saves a new secret. It takes effect when its first code has been typed; a secret already in use stays. */
export async function beginSecondFactor(
  tx: Tx,
  accountId: string,
  secret: Buffer,
  now: Date,
): Promise<boolean> {
  const values = { secret, confirmedAt: null, lastStep: 0, createdAt: now }
  const begun = await tx
    .insertInto('signInSecondFactors')
    .values({ accountId, ...values })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet(values).where('signInSecondFactors.confirmedAt', 'is', null),
    )
    .returning('accountId')
    .executeTakeFirst()
  return begun !== undefined
}

export async function confirmSecondFactor(tx: Tx, accountId: string, now: Date): Promise<void> {
  await tx
    .updateTable('signInSecondFactors')
    .set({ confirmedAt: now })
    .where('accountId', '=', accountId)
    .execute()
}

export async function endSecondFactor(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('signInSecondFactors').where('accountId', '=', accountId).execute()
  await tx.deleteFrom('signInSecondSteps').where('accountId', '=', accountId).execute()
}

/**
 * For a password that was set by e-mail: whoever knew the old one may have turned two-step sign-in on with a phone of
 * their own, and the owner would have no code to turn it off. False: it is off, or has been on for longer.
 */
export async function endFreshSecondFactor(tx: Tx, accountId: string, now: Date): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('signInSecondFactors')
    .where('accountId', '=', accountId)
    .where('confirmedAt', '>', new Date(now.getTime() - freshFor))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Checks a code and uses it up. The row is locked, so that a code sent twice at once is accepted once. */
export async function useCode(tx: Tx, accountId: string, typed: string, now: Date): Promise<boolean> {
  const factor = await tx
    .selectFrom('signInSecondFactors')
    .selectAll()
    .where('accountId', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
  const step = factor ? stepOfCode(typed, factor.secret, factor.lastStep, now) : null
  if (step === null) return false
  await tx
    .updateTable('signInSecondFactors')
    .set({ lastStep: step })
    .where('accountId', '=', accountId)
    .execute()
  return true
}

export async function useSpareCode(tx: Tx, accountId: string, typed: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('signInRecoveryCodes')
    .where('accountId', '=', accountId)
    .where('sha256', '=', hashOfSpareCode(typed))
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Accepts a code of the authenticator app or a spare code. */
export async function takeAnyCode(tx: Tx, accountId: string, typed: string, now: Date): Promise<boolean> {
  return (await useCode(tx, accountId, typed, now)) || (await useSpareCode(tx, accountId, typed))
}

export async function replaceSpareCodes(tx: Tx, accountId: string, codes: readonly string[]): Promise<void> {
  await tx.deleteFrom('signInRecoveryCodes').where('accountId', '=', accountId).execute()
  await tx
    .insertInto('signInRecoveryCodes')
    .values(codes.map((code) => ({ accountId, sha256: hashOfSpareCode(code) })))
    .execute()
}

export async function countSpareCodes(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('signInRecoveryCodes')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** The password was right: this sign-in now waits for the code. */
export async function beginSecondStep(
  tx: Tx,
  { interactionUid, accountId }: Pick<SecondStep, 'interactionUid' | 'accountId'>,
  now: Date,
): Promise<void> {
  const values = { accountId, iin: null, expiresAt: new Date(now.getTime() + stepLifetime) }
  await tx
    .insertInto('signInSecondSteps')
    .values({ interactionUid, ...values })
    .onConflict((conflict) => conflict.column('interactionUid').doUpdateSet(values))
    .execute()
}

/** Stores the proved IIN, which the account gets once the code is right. */
export async function linkAfterSecondStep(tx: Tx, interactionUid: string, iin: string): Promise<void> {
  await tx
    .updateTable('signInSecondSteps')
    .set({ iin })
    .where('interactionUid', '=', interactionUid)
    .execute()
}

export function findSecondStep(db: Db, interactionUid: string, now: Date): Promise<SecondStep | undefined> {
  return db
    .selectFrom('signInSecondSteps')
    .selectAll()
    .where('interactionUid', '=', interactionUid)
    .where('expiresAt', '>', now)
    .executeTakeFirst()
}

/** False: the waiting sign-in was ended meanwhile, for instance by a new password. */
export async function endSecondStep(tx: Tx, interactionUid: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('signInSecondSteps')
    .where('interactionUid', '=', interactionUid)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Sign-ins that wait for a code after the old password was typed have to start again. */
export async function endSecondStepsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('signInSecondSteps').where('accountId', '=', accountId).execute()
}

export async function forgetOldSecondSteps(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('signInSecondSteps').where('expiresAt', '<', now).execute()
}
