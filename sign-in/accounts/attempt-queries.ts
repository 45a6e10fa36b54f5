/**
 * The counters of the lock-out. An attempt is counted as failed before the password is checked and uncounted on
 * success, so that of a thousand concurrent guesses only as many are checked as allowed.
 */
import { createHash } from 'node:crypto'
import type { Tx } from '@kelisim/db/db.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import {
  accountPolicy,
  addressPolicy,
  afterFailure,
  afterSuccess,
  failureMemory,
  pairPolicy,
  successMemory,
  waitOf,
  type Failures,
  type LockOutPolicy,
  type PairFailures,
} from './lock-out.ts'

export type Guess = { email: string; address: string }

/** An attempt in progress: the counters before it was counted. */
export type Attempt = { guess: Guess; startedAt: Date; before: Shared }

type Shared = { address: Failures; account: Failures }

/** Counts the attempt, or returns until when this person has to wait. */
export async function beginAttempt(
  tx: Tx,
  guess: Guess,
  now: Date,
): Promise<{ blockedUntil: Date } | { blockedUntil: null; attempt: Attempt }> {
  const pair = await lockCounter(tx, pairKey(guess), now)
  const shared = await lockShared(tx, guess, now)
  const blockedUntil = waitOf(pair, [shared.address, shared.account], now)
  if (blockedUntil) return { blockedUntil }
  await save(tx, pairKey(guess), afterFailure(pair, pairPolicy, now))
  await save(tx, addressKey(guess), afterFailure(shared.address, addressPolicy, now))
  await save(tx, accountKey(guess), afterFailure(shared.account, accountPolicy, now))
  return { blockedUntil: null, attempt: { guess, startedAt: now, before: shared } }
}

export async function attemptSucceeded(tx: Tx, { guess, startedAt, before }: Attempt): Promise<void> {
  await rememberSuccess(tx, guess, startedAt)
  const shared = await lockShared(tx, guess, startedAt)
  const restore = (counter: keyof Shared, policy: LockOutPolicy) =>
    afterSuccess(shared[counter], before[counter], policy, startedAt)
  await save(tx, addressKey(guess), restore('address', addressPolicy))
  await save(tx, accountKey(guess), restore('account', accountPolicy))
}

/** Resets the counter of the pair: this person has proved their identity here, by the password or by e-mail. */
export async function rememberSuccess(tx: Tx, guess: Guess, now: Date): Promise<void> {
  const fresh = { failures: 0, lastFailedAt: now, blockedUntil: null, lastSucceededAt: now }
  await tx
    .insertInto('signInFailures')
    .values({ key: pairKey(guess), ...fresh })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(fresh))
    .execute()
}

export async function forgetOldRateLimits(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('rateLimits').where('expire', '<', now.getTime()).execute()
}

export async function forgetOldFailures(tx: Tx, now: Date): Promise<void> {
  const before = (memory: number) => new Date(now.getTime() - memory)
  await tx
    .deleteFrom('signInFailures')
    .where('lastFailedAt', '<', before(failureMemory))
    .where((row) =>
      row.or([row('lastSucceededAt', 'is', null), row('lastSucceededAt', '<', before(successMemory))]),
    )
    .execute()
}

/** Locks the counters always after that of the pair and in this order, so that two attempts never deadlock. */
async function lockShared(tx: Tx, guess: Guess, now: Date): Promise<Shared> {
  const address = await lockCounter(tx, addressKey(guess), now)
  const account = await lockCounter(tx, accountKey(guess), now)
  return { address, account }
}

function lockCounter(tx: Tx, key: string, now: Date): Promise<PairFailures> {
  // The conflicting update changes nothing: it locks the row and returns it.
  return tx
    .insertInto('signInFailures')
    .values({ key, failures: 0, lastFailedAt: now, blockedUntil: null })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'lastFailedAt', 'blockedUntil', 'lastSucceededAt'])
    .executeTakeFirstOrThrow()
}

async function save(tx: Tx, key: string, { failures, lastFailedAt, blockedUntil }: Failures): Promise<void> {
  await tx
    .updateTable('signInFailures')
    .set({ failures, lastFailedAt, blockedUntil })
    .where('key', '=', key)
    .execute()
}

const pairKey = ({ email, address }: Guess) => `pair:${hash(`${email}\n${networkOf(address)}`)}`
const addressKey = ({ address }: Guess) => `address:${hash(networkOf(address))}`
const accountKey = ({ email }: Guess) => `account:${hash(email)}`

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
