/** Comments on the documents of requests. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { StoredActor } from '@kelisim/db/schema/requests.ts'

export type ThreadRow = Awaited<ReturnType<typeof findThreads>>[number]
export type CommentRow = Awaited<ReturnType<typeof findComments>>[number]

/** Threads of every side, which the calling code must filter by viewer. Open ones first, then the newest first. */
export function findThreads(db: Db, requestId: string) {
  return db
    .selectFrom('commentThreads')
    .selectAll()
    .where('requestId', '=', requestId)
    .orderBy(sql`resolved_at is not null`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** How many threads one organisation has begun: counting those of others would reveal them through the limit. */
export async function countBegun(db: Db, requestId: string, organizationId: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('commentThreads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requestId', '=', requestId)
    .where('organizationId', 'is not distinct from', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

/** The comments of several threads, in the order in which they were written. */
export function findComments(db: Db, threadIds: readonly string[]) {
  return db
    .selectFrom('comments')
    .selectAll()
    .where('threadId', '=', sql<string>`any(${[...threadIds]}::uuid[])`)
    .orderBy('at')
    .orderBy('id')
    .execute()
}

export async function findThreadOfComment(db: Db, commentId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('comments')
    .select('threadId')
    .where('id', '=', commentId)
    .executeTakeFirst()
  return row?.threadId
}

export async function addThreadRow(tx: Tx, row: Insertable<Schema['commentThreads']>): Promise<void> {
  await tx.insertInto('commentThreads').values(row).execute()
}

export async function addCommentRow(tx: Tx, row: Insertable<Schema['comments']>): Promise<void> {
  await tx.insertInto('comments').values(row).execute()
}

export async function saveResolution(
  tx: Tx,
  threadId: string,
  resolved: { by: StoredActor; at: Date } | null,
): Promise<void> {
  await tx
    .updateTable('commentThreads')
    .set({ resolvedAt: resolved?.at ?? null, resolvedBy: resolved && JSON.stringify(resolved.by) })
    .where('id', '=', threadId)
    .execute()
}

/** Who of these recipients got an e-mail about comments on this request since then. */
export async function findMailedSince(
  db: Db,
  requestId: string,
  recipients: readonly string[],
  since: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('notices')
    .select('recipient')
    .distinct()
    .where('requestId', '=', requestId)
    .where('recipient', '=', sql<string>`any(${[...recipients]}::text[])`)
    .where('occasion', 'like', 'c%')
    .where('mode', 'in', ['at-once', 'held'])
    .where('createdAt', '>', since)
    .execute()
  return new Set(rows.map(({ recipient }) => recipient))
}
