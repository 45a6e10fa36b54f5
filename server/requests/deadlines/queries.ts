/** Requests with a deadline that has to be told, or which have expired. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import {
  currentPointStatuses,
  pointStatusNumbers,
  signingStatuses,
  statusNumbers,
  withdrawableStatuses,
} from '@kelisim/domain/requests/status.ts'

type Page = { today: string; after: string; limit: number }

/**
 * In order of id: requests where somebody is asked at a point whose reminder or deadline has come and was not yet
 * told.
 */
export async function findRequestsWithNews(db: Db, { today, after, limit }: Page): Promise<string[]> {
  const { rows } = await sql<{ requestId: string }>`
    select distinct p.request_id
    from request_points p join signing_requests r on r.id = p.request_id
    where p.attempt = 0 and p.due_on is not null and p.told_deadline <> 'overdue'
      and p.remind_on <= ${today}::date
      and (p.told_deadline = 'nothing' or p.due_on < ${today}::date)
      and p.status = any(${pointStatusNumbers(currentPointStatuses)}::int[])
      and r.status = any(${statusNumbers(signingStatuses)}::int[])
      and p.request_id > ${after}::uuid
    order by p.request_id
    limit ${limit}`.execute(db)
  return rows.map(({ requestId }) => requestId)
}

/** In order of id. */
export async function findExpiredRequests(db: Db, { today, after, limit }: Page): Promise<string[]> {
  const rows = await db
    .selectFrom('signingRequests')
    .select('id')
    .where('expiresOn', '<', today)
    .where('status', 'in', statusNumbers(withdrawableStatuses))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
