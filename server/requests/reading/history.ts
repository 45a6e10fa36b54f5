/** What happened to a request, page by page, the latest first. */
import type * as z from 'zod/mini'
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { RequestEventView } from '@kelisim/domain/requests/contract.ts'
import { shownName } from '../core/state.ts'
import type { Loaded } from '../core/loaded.ts'

type EventView = z.input<typeof RequestEventView>

/** Without what happened at points that the caller does not see. */
export async function findEvents(
  db: Db,
  { row, signing }: Loaded,
  hidden: readonly string[],
  { skip, take }: { skip: number; take: number },
): Promise<{ items: EventView[]; totalCount: number }> {
  const seen = db
    .selectFrom('requestEvents')
    .where('requestId', '=', row.id)
    .$if(hidden.length > 0, (query) =>
      query.where((eb) => eb.or([eb('pointId', 'is', null), eb('pointId', 'not in', hidden)])),
    )
  const events = await seen
    .select(['number', 'at', 'type', 'actor', 'pointId', 'comment', 'data', 'before', 'after'])
    .orderBy('number', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
  const names = new Map(signing.map(({ pointId, name }) => [pointId, name]))
  return {
    items: events.map(({ at, actor, pointId, ...event }) => ({
      ...event,
      at: at.toISOString(),
      actor: actor && shownName(actor),
      pointName: pointId === null ? null : (names.get(pointId) ?? null),
    })),
    totalCount: hidden.length === 0 ? row.eventsCount : await countSeen(db, row.id, hidden),
  }
}

async function countSeen(db: Db, requestId: string, hidden: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from request_events
    where request_id = ${requestId} and (point_id is null or point_id not in (${sql.join(hidden)}))`.execute(
    db,
  )
  return rows[0]!.count
}
