/** The data of a signing report, as far as the viewer may see it. */
import type { Db } from '@kelisim/db/db.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { historyPage } from '../../requests/reading/history.ts'
import { hiddenEvents } from '../../requests/reading/handlers.ts'
import { requestView } from '../../requests/core/views.ts'
import type { Subject } from '../core/asking.ts'
import { findLogIndexes, findSignatureDigests } from './queries.ts'
import { withShortComments } from './shorten-comments.ts'
import type { ReportFacts } from './report-job.ts'

/** A longer history is cut here; the evidence bundle has all of it. */
const mostEvents = 1000

export async function reportFacts(
  db: Db,
  { loaded, viewer }: Subject,
  { publicUrl, now }: { publicUrl: URL; now: Date },
): Promise<ReportFacts> {
  const { row } = loaded
  const hidden = hiddenEvents(loaded, viewer)
  const { totalCount } = await historyPage(db, loaded, hidden, { skip: 0, take: 1 })
  const page = { skip: Math.max(0, totalCount - mostEvents), take: mostEvents }
  const [request, { items }, indexes, digests] = await Promise.all([
    requestView(db, loaded, { viewer }, now),
    historyPage(db, loaded, hidden, page),
    findLogIndexes(db, row.id),
    findSignatureDigests(db, row.id),
  ])
  return withShortComments({
    request,
    // Points that were passed over do not belong to the request and are not counted.
    hidden: loaded.signing.filter(({ pointId }) => hidden.points.includes(pointId)).length,
    events: items
      .map((event) => ({ ...event, logIndex: indexes.get(event.number) ?? null }))
      .toSorted((one, other) => one.number - other.number),
    eventsCount: totalCount,
    digests,
    link: new URL(requestPage(row.id), publicUrl).href,
    madeAt: now,
  })
}
