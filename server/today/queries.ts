/** The author's requests that are open, and those that ended lately. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { openStatuses, requestStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'

type Author = { userId: string; organizationId: string }
type FoundRequests = { ids: string[]; totalCount: number }

/** The open requests of the author, the oldest first. */
export async function findOpenOf(
  db: Db,
  { userId, organizationId }: Author,
  take: number,
): Promise<FoundRequests> {
  // Each status is one index range; the oldest of all are among the oldest of each range.
  const ranges = (end: ReturnType<typeof sql>) =>
    sql.join(
      statusNumbers(openStatuses).map(
        (status) => sql`(select id, created_at from signing_requests
          where organization_id = ${organizationId} and author_id = ${userId} and status = ${status} ${end})`,
      ),
      sql` union all `,
    )
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<{ id: string }>`select id from (${ranges(sql`order by created_at, id limit ${take}`)}) found
      order by created_at, id limit ${take}`.execute(db),
    sql<{
      count: number
    }>`select count(*) as count from (${ranges(sql`limit ${foundCountLimit}`)}) found`.execute(db),
  ])
  return { ids: rows.map(({ id }) => id), totalCount: counted[0]!.count }
}

/** The requests of the author that ended since this day, the latest first. */
export async function findEndedOf(
  db: Db,
  { userId, organizationId }: Author,
  sinceDay: string,
  take: number,
): Promise<FoundRequests> {
  const ended = db
    .selectFrom('signingRequests')
    .where('organizationId', '=', organizationId)
    .where('authorId', '=', userId)
    .where('statusChangedAt', '>=', sql<Date>`(${sinceDay}::date)::timestamp at time zone 'Asia/Almaty'`)
    // The statuses are literals, because the planner must see that this is the condition of the partial index.
    .where(
      sql<boolean>`status in (${sql.join(statusNumbers(endedStatuses).map((status) => sql.lit(status)))})`,
    )
  const [rows, counted] = await Promise.all([
    ended.select('id').orderBy('statusChangedAt', 'desc').orderBy('id', 'desc').limit(take).execute(),
    db
      .selectFrom(ended.select('id').limit(foundCountLimit).as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { ids: rows.map(({ id }) => id), totalCount: counted.count }
}

/** Withdrawn requests are left out: the author withdrew them, so it is no news. */
const endedStatuses = [
  'Completed',
  'Rejected',
  'Terminated',
] as const satisfies readonly (typeof requestStatuses.names)[number][]

export function findEndingPowers(db: Db, organizationId: string, { from, to }: { from: string; to: string }) {
  return db
    .selectFrom('powersOfAttorney')
    .select(['id', 'holderName', 'validUntil'])
    .where('organizationId', '=', organizationId)
    .where('revokedAt', 'is', null)
    .where('validUntil', '>=', from)
    .where('validUntil', '<=', to)
    .orderBy('validUntil')
    .limit(20)
    .execute()
}
