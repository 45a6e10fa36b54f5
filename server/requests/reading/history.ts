/** The history of a request, page by page, the latest events first. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import type { RequestEventView } from '@kelisim/domain/requests/contract.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { countEvents, findEventsPage, type HiddenEvents } from '../core/queries/events.ts'
import { shownName } from '../core/saving.ts'

type EventView = z.input<typeof RequestEventView>

/** One page of the history, without what the caller must not see. */
export async function historyPage(
  db: Db,
  { row, signing }: LoadedRequest,
  hidden: HiddenEvents,
  page: { skip: number; take: number },
): Promise<{ items: EventView[]; totalCount: number }> {
  const events = await findEventsPage(db, row.id, hidden, page)
  const judged = (row.conditions as StoredConditions | null)?.points ?? []
  const names = new Map([...judged, ...signing].map(({ pointId, name }) => [pointId, name]))
  return {
    items: events.map(({ at, actor, pointId, ...event }) => ({
      ...event,
      at: at.toISOString(),
      actor: actor && shownName(actor),
      pointName: pointId === null ? null : (names.get(pointId) ?? null),
    })),
    totalCount: isNothing(hidden) ? row.eventsCount : await countEvents(db, row.id, hidden),
  }
}

function isNothing({ points, openings, types }: HiddenEvents): boolean {
  return points.length === 0 && openings.length === 0 && types.length === 0
}
