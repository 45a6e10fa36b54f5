/** Changes of requests as a member sees them: without the events of points that are hidden from them. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import type { Change } from '@kelisim/domain/integration/calls/requests-contract.ts'
import { eventsOfSides, maySee, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { Party } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import { hiddenEvents } from '../requests/reading/handlers.ts'
import type { ChangeRow } from './change-queries.ts'

/** Loads the requests that the member may see; others are left out like those that do not exist. */
export async function visibleAmong(
  db: Db,
  ids: readonly string[],
  { viewer }: Party,
): Promise<LoadedRequest[]> {
  const found = await findRequestsAmong(db, ids)
  return found.filter(({ row, request }) => maySee(seenOf(row, request), viewer))
}

/** `seen`: the requests that the member may see. */
export function visibleChanges(
  rows: readonly ChangeRow[],
  seen: readonly LoadedRequest[],
  viewer: Party['viewer'],
): ChangeRow[] {
  const hidden = new Map(seen.map((loaded) => [loaded.row.id, hiddenEvents(loaded, viewer)]))
  return rows.filter(({ requestId, pointId, type }) => {
    const unseen = hidden.get(requestId)
    if (unseen === undefined || unseen.types.includes(type)) return false
    if (pointId === null) return true
    return (
      !unseen.points.includes(pointId) && !(eventsOfSides.includes(type) && unseen.openings.includes(pointId))
    )
  })
}

export function changeView({ requestId, type, after, pointId, at }: ChangeRow): z.input<typeof Change> {
  return { requestId, type, status: requestStatusOf(after), pointId, at: at.toISOString() }
}
