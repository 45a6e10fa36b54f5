/** Reminders of requests that nobody has acted on for long. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { openStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'

/** Open requests whose status has not changed since this time, in order of id. */
export async function findUnchangedRequests(
  db: Db,
  { since, afterId, limit }: { since: Date; afterId: string | null; limit: number },
): Promise<string[]> {
  // Written as literals, because the planner must see that this is the condition of the partial index.
  const open = statusNumbers(openStatuses).map((status) => sql.lit(status))
  const rows = await db
    .selectFrom('signingRequests')
    .select('id')
    .where(sql<boolean>`status in (${sql.join(open)})`)
    .where('statusChangedAt', '<=', since)
    .$if(afterId !== null, (query) => query.where('id', '>', afterId!))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the number of the reminder. `by` is null for a scheduled one. */
export async function addReminder(
  tx: Tx,
  { requestId, by, at }: { requestId: string; by: string | null; at: Date },
): Promise<number> {
  const next = sql<number>`(select coalesce(max(number), 0) + 1 from request_reminders where request_id = ${requestId})`
  const { number } = await tx
    .insertInto('requestReminders')
    .values({ requestId, at, by, number: next })
    .returning('number')
    .executeTakeFirstOrThrow()
  return number
}

export async function findLastReminder(
  db: Db,
  requestId: string,
  kind: 'scheduled' | 'manual',
): Promise<Date | null> {
  const row = await db
    .selectFrom('requestReminders')
    .select('at')
    .where('requestId', '=', requestId)
    .where('by', kind === 'scheduled' ? 'is' : 'is not', null)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row?.at ?? null
}
