/**
 * Transactions of sending without an account, from the token to the request. Secrets are derived from each other with a key
 * of the server, so a repeated call gets the same secret, and the table holds only their hashes.
 */
import { createHash, createHmac } from 'node:crypto'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { dailyLimits, transactionLife } from '@kelisim/domain/landing/quick-send.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import type { KeptFile } from '../documents/storage/verified.ts'
import { serverKey } from '../keys/queries.ts'
import {
  countSince,
  findByTransactionHash,
  lockById,
  lockCount,
  type Counted,
  type Transaction,
} from './queries.ts'

/** A transaction that has its file, sender and recipient. */
export type BegunTransaction = {
  [K in keyof Transaction]: K extends BegunColumn ? NonNullable<Transaction[K]> : Transaction[K]
}
export type BegunColumn =
  | 'transactionHash'
  | 'begunAt'
  | 'senderEmail'
  | 'senderPhone'
  | 'recipientBin'
  | 'recipientName'
  | 'recipientEmail'
  | 'language'
  | 'fileId'
  | 'fileName'
  | 'format'
  | 'sha256'
  | 'size'

export type Secrets = {
  token: (key: string) => Promise<string>
  transactionId: (token: string) => Promise<string>
  /** Derived from the id of the row, because signing by phone knows no other secret. */
  follow: (id: string) => Promise<string>
}

export function openSecrets(database: Database, clock: () => Date): Secrets {
  let key: Promise<Buffer> | undefined
  const secret = () =>
    (key ??= serverKey(database, 'quick-send', clock()).catch((error: unknown) => {
      key = undefined
      throw error
    }))
  const derive = async (purpose: string, of: string) =>
    createHmac('sha256', await secret())
      .update(`${purpose} ${of}`)
      .digest('base64url')
  return {
    token: (of) => derive('token', of),
    transactionId: (of) => derive('transaction', of),
    follow: (of) => derive('follow', of),
  }
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Calls of a network are counted without storing its address. */
export function networkHash(address: string): string {
  return createHash('sha256')
    .update(`quick send from ${networkOf(address)}`)
    .digest('base64url')
}

/** Files of transactions are stored under an organisation that does not exist; they get a row when the request is sent. */
export const pendingPlace = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

export function pendingFile({
  fileId,
  sha256,
  size,
}: Pick<BegunTransaction, 'fileId' | 'sha256' | 'size'>): KeptFile {
  return { id: fileId, organizationId: pendingPlace, sha256, size }
}

/** Finds a begun transaction; refuses if it is unknown or too old. A sent transaction is found for the same time. */
export async function findBegun(db: Db, transactionId: string, now: Date): Promise<BegunTransaction> {
  return assertBegun(await findByTransactionHash(db, hashOf(transactionId)), now)
}

export async function lockBegun(tx: Tx, id: string, now: Date): Promise<BegunTransaction> {
  return assertBegun(await lockById(tx, id), now)
}

export function assertBegun(row: Transaction | undefined, now: Date): BegunTransaction {
  const isAlive =
    row !== undefined && row.begunAt !== null && row.begunAt.getTime() > now.getTime() - transactionLife
  // A constraint of the table ensures that all of these columns are set together.
  return isAlive ? (row as BegunTransaction) : refuse('transaction-not-found')
}

/** Refuses if a daily limit is reached. Calls that count towards the same limit run one after another. */
export async function holdWithin(tx: Tx, counted: readonly Counted[], now: Date): Promise<void> {
  const inOrder = counted.toSorted((one, other) =>
    `${one.limit} ${one.of}` < `${other.limit} ${other.of}` ? -1 : 1,
  )
  for (const one of inOrder) await lockCount(tx, one)
  for (const one of counted) await refuseOver(tx, one, now)
}

export async function refuseOver(db: Db, counted: Counted, now: Date): Promise<void> {
  const count = await countSince(db, counted, new Date(now.getTime() - day))
  if (count >= dailyLimits[counted.limit]) refuse('quick-send-limit', { limit: counted.limit })
}
