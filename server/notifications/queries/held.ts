/** Notices whose e-mails are held back until a later day. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

/** Held notices, the oldest first, after the last one that was seen. */
export function findHeldNotices(
  db: Db,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<{ id: string; createdAt: Date }[]> {
  return db
    .selectFrom('notices')
    .select(['id', 'createdAt'])
    .where('mode', '=', 'held')
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) > (${after!.createdAt}::timestamptz, ${after!.id}::uuid)`),
    )
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Whether an e-mail about the request waits for a later day. */
export async function hasHeldNotice(db: Db, requestId: string): Promise<boolean> {
  const held = await db
    .selectFrom('notices')
    .select('id')
    .where('requestId', '=', requestId)
    .where('mode', '=', 'held')
    .executeTakeFirst()
  return held !== undefined
}

/** Undefined: another process holds the notice, or it is no longer held. */
export function lockHeldNotice(tx: Tx, noticeId: string) {
  return tx
    .selectFrom('notices')
    .select(['id', 'requestId', 'kind', 'userId', 'organizationId', 'email', 'number', 'about'])
    .where('id', '=', noticeId)
    .where('mode', '=', 'held')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export async function saveMode(tx: Tx, noticeId: string, mode: Schema['notices']['mode']): Promise<void> {
  await tx.updateTable('notices').set({ mode }).where('id', '=', noticeId).execute()
}
