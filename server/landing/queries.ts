/** Tables of the landing: used captchas, feedback, and transactions of sending without an account. */
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { LimitOf } from '@kelisim/domain/landing/quick-send.ts'

export type Transaction = Selectable<Schema['landingTransactions']>

/** False if the captcha was used before. Of two concurrent calls with the same answer the second waits. */
export async function addUsedCaptcha(tx: Tx, hash: Buffer, expiresAt: Date): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('usedCaptchas')
    .values({ hash, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function sweepCaptchas(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('usedCaptchas').where('expiresAt', '<', now).execute()
}

export async function addFeedback(tx: Tx, row: Insertable<Schema['feedback']>): Promise<void> {
  await tx.insertInto('feedback').values(row).execute()
}

/** The latest messages. */
export function findFeedback(db: Db, take: number) {
  return db
    .selectFrom('feedback')
    .select(['at', 'language', 'name', 'email', 'phone', 'message'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(take)
    .execute()
}

export async function addTransaction(tx: Tx, row: Insertable<Schema['landingTransactions']>): Promise<void> {
  await tx.insertInto('landingTransactions').values(row).execute()
}

export async function updateTransaction(
  tx: Tx,
  id: string,
  changes: Updateable<Schema['landingTransactions']>,
): Promise<void> {
  await tx.updateTable('landingTransactions').set(changes).where('id', '=', id).execute()
}

/** Does nothing if a newer code has been requested since. */
export async function updatePhoneState(
  tx: Tx,
  { id, phoneId }: Pick<Transaction, 'id' | 'phoneId'>,
  changes: Updateable<Pick<Schema['landingTransactions'], 'phoneState' | 'phoneRefusal' | 'phoneAnswerHash'>>,
): Promise<void> {
  await tx
    .updateTable('landingTransactions')
    .set(changes)
    .where('id', '=', id)
    .where('phoneId', '=', phoneId)
    .execute()
}

export async function countTry(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('landingTransactions')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export function findById(db: Db, id: string): Promise<Transaction | undefined> {
  return db.selectFrom('landingTransactions').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findByToken(db: Db, tokenHash: Buffer): Promise<Transaction | undefined> {
  return db
    .selectFrom('landingTransactions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .executeTakeFirst()
}

export function findByTransactionHash(db: Db, transactionHash: Buffer): Promise<Transaction | undefined> {
  return db
    .selectFrom('landingTransactions')
    .selectAll()
    .where('transactionHash', '=', transactionHash)
    .executeTakeFirst()
}

export function findByPhone(db: Db, phoneId: string): Promise<Transaction | undefined> {
  return db.selectFrom('landingTransactions').selectAll().where('phoneId', '=', phoneId).executeTakeFirst()
}

/** The request that a tracking link shows, if it was sent after this time. */
export function findTracked(db: Db, followHash: Buffer, sentAfter: Date) {
  return db
    .selectFrom('landingTransactions')
    .select(['requestId', 'recipientEmail'])
    .where('followHash', '=', followHash)
    .where('committedAt', '>', sentAfter)
    .executeTakeFirst()
}

export function lockById(tx: Tx, id: string): Promise<Transaction | undefined> {
  return tx.selectFrom('landingTransactions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function lockByToken(tx: Tx, tokenHash: Buffer): Promise<Transaction | undefined> {
  return tx
    .selectFrom('landingTransactions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Transactions that were not sent, in order of id. */
export function findUnsent(
  db: Db,
  { createdBefore, afterId, limit }: { createdBefore: Date; afterId: string | null; limit: number },
): Promise<{ id: string; fileId: string | null }[]> {
  return db
    .selectFrom('landingTransactions')
    .select(['id', 'fileId'])
    .where('committedAt', 'is', null)
    .where('createdAt', '<', createdBefore)
    .$if(afterId !== null, (query) => query.where('id', '>', afterId!))
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function removeUnsent(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('landingTransactions').where('id', '=', id).where('committedAt', 'is', null).execute()
}

export type Counted = { limit: LimitOf; of: string }

const countedColumns = {
  network: { column: 'network', since: 'created_at' },
  sender: { column: 'sender_number', since: 'committed_at' },
  recipient: { column: 'recipient_email', since: 'committed_at' },
  senderEmail: { column: 'sender_email', since: 'committed_at' },
} as const satisfies Record<LimitOf, { column: string; since: string }>

/** Transactions that count towards the limit are added one after another. */
export async function lockCount(tx: Tx, { limit, of }: Counted): Promise<void> {
  const name = `quick send ${limit} ${of}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

export async function countSince(db: Db, { limit, of }: Counted, since: Date): Promise<number> {
  const columns = countedColumns[limit]
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from landing_transactions
    where ${sql.ref(columns.column)} = ${of} and ${sql.ref(columns.since)} > ${since}`.execute(db)
  return rows[0]!.count
}

/** Which of the files unsent transactions still need; a sent document has a file of its own. */
export async function findPendingFilesAmong(db: Db, fileIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('landingTransactions')
    .select('fileId')
    .where('fileId', 'in', fileIds)
    .where('committedAt', 'is', null)
    .execute()
  return new Set(rows.flatMap(({ fileId }) => fileId ?? []))
}
