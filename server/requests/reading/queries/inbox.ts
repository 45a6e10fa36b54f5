/** Requests that came to numbers, in the order in which their owner reads them. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'

export type Arrival = { requestId: string; arrivedAt: Date; waits: boolean }

/**
 * Requests that wait come first, then the newest. Each number is read from its index in that order, so that a page
 * costs the same however much has come; a request that came to several numbers is listed once.
 */
export async function findByNumbers(
  db: Db,
  numbers: readonly string[],
  { skip, take }: { skip: number; take: number },
): Promise<{ arrivals: Arrival[]; totalCount: number }> {
  if (numbers.length === 0) return { arrivals: [], totalCount: 0 }
  const first = (number: string, waits: boolean) => sql`(
    select request_id, arrived_at, waits from request_inboxes
    where inbox = ${number} and ${waits ? sql`waits` : sql`not waits`}
    order by arrived_at desc, request_id desc limit ${skip + take})`
  const pieces = numbers.flatMap((number) => [first(number, true), first(number, false)])
  const [{ rows: arrivals }, { rows: counted }] = await Promise.all([
    sql<Arrival>`
      select request_id, max(arrived_at) as arrived_at, bool_or(waits) as waits
      from (${sql.join(pieces, sql` union all `)}) found group by request_id
      order by waits desc, arrived_at desc, request_id desc offset ${skip} limit ${take}`.execute(db),
    sql<{ count: number }>`
      select count(*) as count from (
        select distinct request_id from request_inboxes where inbox in (${sql.join(numbers)})
        limit ${foundCountLimit + 1}) counted`.execute(db),
  ])
  return { arrivals, totalCount: counted[0]!.count }
}
