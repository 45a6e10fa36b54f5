/**
 * The lock-out's counters. An attempt is counted as failed before the password is looked at and taken back on
 * success: so of a thousand guesses sent at once only as many are checked as may be.
 */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Tx } from '@kelisim/db/db.ts'
import {
  addressPolicy,
  afterFailure,
  isBlocked,
  memory,
  pairPolicy,
  withoutLast,
  type Failures,
  type LockOutPolicy,
} from './lock-out.ts'

export type Guess = { email: string; address: string }

type Counter = Failures & { key: string; policy: LockOutPolicy }

/** Counts the attempt; or says until when this person has to wait. */
export async function beginAttempt(tx: Tx, guess: Guess, now: Date): Promise<{ blockedUntil: Date | null }> {
  const counters = await lockCounters(tx, guess, now)
  const waits = counters.filter((c) => isBlocked(c, now)).map((c) => c.blockedUntil!.getTime())
  if (waits.length > 0) return { blockedUntil: new Date(Math.max(...waits)) }
  for (const counter of counters) await save(tx, counter.key, afterFailure(counter, counter.policy, now))
  return { blockedUntil: null }
}

export async function attemptSucceeded(tx: Tx, guess: Guess, now: Date): Promise<void> {
  for (const counter of await lockCounters(tx, guess, now)) {
    if (counter.policy === pairPolicy)
      await tx.deleteFrom('signInFailures').where('key', '=', counter.key).execute()
    else await save(tx, counter.key, withoutLast(counter, counter.policy))
  }
}

export async function forgetOldFailures(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - memory)
  await tx.deleteFrom('signInFailures').where('lastFailedAt', '<', before).execute()
}

async function lockCounters(tx: Tx, { email, address }: Guess, now: Date): Promise<Counter[]> {
  const network = networkOf(address)
  const wanted = [
    { key: `pair:${hash(`${email}\n${network}`)}`, policy: pairPolicy },
    { key: `address:${hash(network)}`, policy: addressPolicy },
  ]
  const counters: Counter[] = []
  for (const { key, policy } of wanted) {
    // The conflicting update changes nothing: it is there to lock the row and to return it.
    const row = await tx
      .insertInto('signInFailures')
      .values({ key, failures: 0, lastFailedAt: now, blockedUntil: null })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
      .returning(['failures', 'lastFailedAt', 'blockedUntil'])
      .executeTakeFirstOrThrow()
    counters.push({ ...row, key, policy })
  }
  return counters
}

async function save(tx: Tx, key: string, { failures, lastFailedAt, blockedUntil }: Failures): Promise<void> {
  await tx
    .updateTable('signInFailures')
    .set({ failures, lastFailedAt, blockedUntil })
    .where('key', '=', key)
    .execute()
}

/** One household holds a whole IPv6 /64: its addresses count as one. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.toLowerCase().split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail === undefined ? [] : tail.split(':').filter(Boolean)
  const all =
    tail === undefined
      ? left
      : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
