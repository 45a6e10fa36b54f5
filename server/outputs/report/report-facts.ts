/** All that a signing report tells, as far as the viewer may know it. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { requestPage } from '@kelisim/domain/pages.ts'
import { historyPage } from '../../requests/reading/history.ts'
import { hiddenPoints } from '../../requests/reading/handlers.ts'
import { requestView } from '../../requests/core/views.ts'
import type { Subject } from '../core/asking.ts'
import { withShortComments } from './shorten-comments.ts'
import type { ReportFacts } from './report-job.ts'

/** A history this long is read by a program, not by people: the rest is in the evidence bundle. */
const mostEvents = 1000

export async function reportFacts(
  db: Db,
  { loaded, viewer }: Subject,
  { publicUrl, now }: { publicUrl: URL; now: Date },
): Promise<ReportFacts> {
  const { row } = loaded
  const hidden = hiddenPoints(loaded, viewer)
  const { totalCount } = await historyPage(db, loaded, hidden, { skip: 0, take: 1 })
  const page = { skip: Math.max(0, totalCount - mostEvents), take: mostEvents }
  const [request, { items }, indexes, digests] = await Promise.all([
    requestView(db, loaded, { viewer }, now),
    historyPage(db, loaded, hidden, page),
    findLogIndexes(db, row.id),
    findDigests(db, row.id),
  ])
  return withShortComments({
    request,
    hidden: hidden.length,
    events: items
      .map((event) => ({ ...event, logIndex: indexes.get(event.number) ?? null }))
      .toSorted((one, other) => one.number - other.number),
    eventsCount: totalCount,
    digests,
    link: new URL(requestPage(row.id), publicUrl).href,
    madeAt: now,
  })
}

async function findLogIndexes(db: Db, requestId: string): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('logEntries')
    .select(['number', 'index'])
    .where('requestId', '=', requestId)
    .execute()
  return new Map(rows.map(({ number, index }) => [number, index]))
}

async function findDigests(db: Db, requestId: string): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('requestSignatures')
    .select('id')
    .select(sql<string>`encode(sha256(coalesce(timestamped_cms, cms)), 'hex')`.as('digest'))
    .where('requestId', '=', requestId)
    .execute()
  return Object.fromEntries(rows.map(({ id, digest }) => [id, digest]))
}
