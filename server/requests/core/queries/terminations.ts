/** Attempts to terminate what was signed. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export function findTermination(db: Db, requestId: string, attempt: number) {
  return db
    .selectFrom('requestTerminations as t')
    .innerJoin('files as f', 'f.id', 't.fileId')
    .select(['t.begunBy', 't.begunAt', 't.comment', 't.fileId'])
    .select(['f.organizationId', 'f.sha256', 'f.size', 'f.destroyedAt'])
    .where('t.requestId', '=', requestId)
    .where('t.attempt', '=', attempt)
    .executeTakeFirst()
}

export async function addTermination(tx: Tx, row: Insertable<Schema['requestTerminations']>): Promise<void> {
  await tx.insertInto('requestTerminations').values(row).execute()
}

/** Whether a side has left this installation and taken the request along. */
export async function hasMovedSide(db: Db, requestId: string): Promise<boolean> {
  const { rows } = await sql`
    select from (
      select organization_id as id from signing_requests where id = ${requestId}
      union select organization_id from request_points where request_id = ${requestId}
      union select organization_id from moved_requests where request_id = ${requestId}
    ) sides join organizations o on o.id = sides.id where o.lives_at is not null`.execute(db)
  return rows.length > 0
}

/** The times at which this person began to terminate the request. */
export async function findTerminationTimes(db: Db, requestId: string, actorId: string): Promise<Date[]> {
  const rows = await db
    .selectFrom('requestTerminations')
    .select('begunAt')
    .where('requestId', '=', requestId)
    .where(sql<boolean>`begun_by->>'id' = ${actorId}`)
    .execute()
  return rows.map(({ begunAt }) => begunAt)
}
