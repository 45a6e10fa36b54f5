/**
 * What was begun on the landing, from the token to the request. Secrets are made of each other by a key of the server: asked
 * again after a lost answer the same one comes back, and the table holds nothing but their hashes.
 */
import { createHash, createHmac } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { dailyLimits, transactionLife, type LimitOf } from '@kelisim/domain/landing/quick-send.ts'
import { networkOf } from '@kelisim/domain/network.ts'
import type { KeptFile } from '../documents/storage/verified.ts'
import { serverKey } from '../keys/server-keys.ts'

export type Transaction = Selectable<Schema['landingTransactions']>

/** One that was begun: with a file and people. */
export type Begun = {
  [K in keyof Transaction]: K extends BegunWith ? NonNullable<Transaction[K]> : Transaction[K]
}
export type BegunWith =
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
  /** Of the row: whoever signs by phone knows no more than the code. */
  follow: (id: string) => Promise<string>
}

export function openSecrets(database: Database, clock: () => Date): Secrets {
  let key: Promise<Buffer> | undefined
  const secret = () =>
    (key ??= serverKey(database, 'quick-send', clock()).catch((error: unknown) => {
      key = undefined
      throw error
    }))
  const made = async (purpose: string, of: string) =>
    createHmac('sha256', await secret())
      .update(`${purpose} ${of}`)
      .digest('base64url')
  return {
    token: (of) => made('token', of),
    transactionId: (of) => made('transaction', of),
    follow: (of) => made('follow', of),
  }
}

export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Who comes from where is counted, and not written down. */
export function networkHash(address: string): string {
  return createHash('sha256')
    .update(`quick send from ${networkOf(address)}`)
    .digest('base64url')
}

/** Files of transactions lie in a place of nobody's organisation; there is no row of them before there is a request. */
const nobody = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

export function pendingFile({ fileId, sha256, size }: Pick<Begun, 'fileId' | 'sha256' | 'size'>): KeptFile {
  return { id: fileId, organizationId: nobody, sha256, size }
}

export const pendingPlace = nobody

export function findByToken(db: Db, tokenHash: Buffer): Promise<Transaction | undefined> {
  return db
    .selectFrom('landingTransactions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

export function findById(db: Db, id: string): Promise<Transaction | undefined> {
  return db.selectFrom('landingTransactions').selectAll().where('id', '=', id).executeTakeFirst()
}

export function lockByToken(tx: Tx, tokenHash: Buffer): Promise<Transaction | undefined> {
  return tx
    .selectFrom('landingTransactions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Refuses one that nobody began or that is too old; what was sent stays findable for as long. */
export async function begun(db: Db, transactionId: string, now: Date): Promise<Begun> {
  return begunOf(
    await db
      .selectFrom('landingTransactions')
      .selectAll()
      .where('transactionHash', '=', hashOf(transactionId))
      .executeTakeFirst(),
    now,
  )
}

export async function lockBegun(tx: Tx, id: string, now: Date): Promise<Begun> {
  return begunOf(
    await tx
      .selectFrom('landingTransactions')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst(),
    now,
  )
}

export function begunOf(row: Transaction | undefined, now: Date): Begun {
  const isAlive =
    row !== undefined && row.begunAt !== null && row.begunAt.getTime() > now.getTime() - transactionLife
  // The table sees to it that either all of these are there, or none.
  return isAlive ? (row as Begun) : refuse('transaction-not-found')
}

type Counted = { limit: LimitOf; of: string }

const columns = {
  network: { column: 'network', since: 'created_at' },
  sender: { column: 'sender_number', since: 'committed_at' },
  recipient: { column: 'recipient_email', since: 'committed_at' },
  senderEmail: { column: 'sender_email', since: 'committed_at' },
} as const satisfies Record<LimitOf, { column: string; since: string }>

/** Refuses what is more than a day may bring. Those who count the same wait for each other until the transaction ends. */
export async function holdWithin(tx: Tx, counted: readonly Counted[], now: Date): Promise<void> {
  for (const name of counted.map(({ limit, of }) => `quick send ${limit} ${of}`).toSorted()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
  }
  for (const one of counted) {
    if (await isOver(tx, one, now)) refuse('quick-send-limit', { limit: one.limit })
  }
}

export async function refuseOver(db: Db, one: Counted, now: Date): Promise<void> {
  if (await isOver(db, one, now)) refuse('quick-send-limit', { limit: one.limit })
}

async function isOver(db: Db, { limit, of }: Counted, now: Date): Promise<boolean> {
  const { column, since } = columns[limit]
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from landing_transactions
    where ${sql.ref(column)} = ${of} and ${sql.ref(since)} > ${new Date(now.getTime() - day)}`.execute(db)
  return rows[0]!.count >= dailyLimits[limit]
}
