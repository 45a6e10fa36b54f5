/** SQL of the passkeys of people, and of the challenges that their devices sign. */
import { randomBytes } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { SignInTables } from '@kelisim/db/schema/sign-in.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { haveSessionsEnded, type Account } from '../accounts/account-queries.ts'

export type Passkey = Selectable<SignInTables['signInPasskeys']>
export type PasskeyChallenge = Selectable<SignInTables['signInPasskeyChallenges']>

export const challengeLifetime = 5 * minute
export const maxPasskeys = 10
/** Enough to try every device one has; more requests do not come from a person. */
const maxChallenges = 30

export function findPasskeysOf(db: Db, accountId: string): Promise<Passkey[]> {
  return db
    .selectFrom('signInPasskeys')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .execute()
}

export function findPasskey(db: Db, id: string): Promise<Passkey | undefined> {
  return db.selectFrom('signInPasskeys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the second of two concurrent responses sees what the first has written. */
export function lockPasskey(tx: Tx, id: string): Promise<Passkey | undefined> {
  return tx.selectFrom('signInPasskeys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** full: the person has the maximum number of passkeys. taken: a passkey with this id exists already. */
export async function savePasskey(
  tx: Tx,
  passkey: Omit<Passkey, 'lastUsedAt'>,
  owner: Pick<Account, 'sessionsValidFrom'>,
): Promise<'saved' | 'full' | 'taken' | 'ended'> {
  // The account is locked, so that two concurrent calls do not both find the last free place.
  const account = await tx
    .selectFrom('signInAccounts')
    .select('sessionsValidFrom')
    .where('id', '=', passkey.accountId)
    .forUpdate()
    .executeTakeFirst()
  // A new password has meanwhile removed all passkeys and ended the session of the caller.
  if (!account || haveSessionsEnded(owner, account)) return 'ended'
  if ((await findPasskeysOf(tx, passkey.accountId)).length >= maxPasskeys) return 'full'
  const saved = await tx
    .insertInto('signInPasskeys')
    .values({ ...passkey, lastUsedAt: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return saved ? 'saved' : 'taken'
}

export async function notePasskeyUse(tx: Tx, id: string, counter: number, now: Date): Promise<void> {
  await tx.updateTable('signInPasskeys').set({ counter, lastUsedAt: now }).where('id', '=', id).execute()
}

/** False: the person has no such passkey. */
export async function deletePasskey(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('signInPasskeys')
    .where('id', '=', id)
    .where('accountId', '=', accountId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Deletes all passkeys of the account: whoever knew the old password may have added one of them. */
export async function deletePasskeysOf(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('signInPasskeys').where('accountId', '=', accountId).execute()
}

type WantedChallenge = Pick<PasskeyChallenge, 'purpose' | 'boundTo' | 'accountId'>

/** Null: this browser has requested too many challenges. */
export async function issuePasskeyChallenge(
  tx: Tx,
  wanted: WantedChallenge,
  now: Date,
): Promise<PasskeyChallenge | null> {
  const { count } = await tx
    .selectFrom('signInPasskeyChallenges')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('boundTo', '=', wanted.boundTo)
    .executeTakeFirstOrThrow()
  if (Number(count) >= maxChallenges) return null
  return tx
    .insertInto('signInPasskeyChallenges')
    .values({
      ...wanted,
      id: randomBytes(24).toString('base64url'),
      challenge: randomBytes(32).toString('base64url'),
      createdAt: now,
      expiresAt: new Date(now.getTime() + challengeLifetime),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * The first response takes the challenge, right or wrong. Undefined: it was answered or has expired, or belongs to
 * another browser or person.
 */
export async function takePasskeyChallenge(
  tx: Tx,
  id: string,
  { purpose, boundTo, accountId }: WantedChallenge,
  now: Date,
): Promise<PasskeyChallenge | undefined> {
  const taken = await tx
    .deleteFrom('signInPasskeyChallenges')
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('boundTo', '=', boundTo)
    .returningAll()
    .executeTakeFirst()
  return taken && taken.accountId === accountId && taken.expiresAt > now ? taken : undefined
}

export async function forgetOldPasskeyChallenges(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('signInPasskeyChallenges').where('expiresAt', '<', now).execute()
}
