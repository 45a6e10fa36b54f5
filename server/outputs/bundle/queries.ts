/** What an evidence bundle contains of a request and its history. */
import type { Db } from '@kelisim/db/db.ts'
import { isShown, type HiddenEvents } from '../../requests/core/queries/events.ts'
import { eventsToLog } from '../../transparency/queries.ts'

/** The part of a history that goes into a bundle. */
export type BundledHistory = {
  requestId: string
  /** The number of the last event; later ones are not in the bundle. */
  last: number
  /** What the person who asked must not see. */
  hidden: HiddenEvents
}

export async function countBundledEvents(
  db: Db,
  { requestId, last, hidden }: BundledHistory,
): Promise<number> {
  const { count } = await db
    .selectFrom('requestEvents as e')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('e.requestId', '=', requestId)
    .where('e.number', '<=', last)
    .where(isShown(hidden))
    .executeTakeFirstOrThrow()
  return count
}

/** The ids of the signatures that were accepted up to the last event. */
export async function findAcceptedUntil(db: Db, { requestId, last }: BundledHistory): Promise<Set<string>> {
  const rows = await db
    .selectFrom('requestEvents')
    .select('data')
    .where('requestId', '=', requestId)
    .where('number', '<=', last)
    .where('type', '=', 'signature-accepted')
    .execute()
  return new Set(rows.map(({ data }) => String(data['signatureId'])))
}

/** The next events after this number, with their place in the log. */
export function findLoggedEvents(
  db: Db,
  { requestId, last, hidden }: BundledHistory,
  { after, limit }: { after: number; limit: number },
) {
  return eventsToLog(db)
    .innerJoin('logEntries as l', (join) =>
      join.onRef('l.requestId', '=', 'e.requestId').onRef('l.number', '=', 'e.number'),
    )
    .select('l.index')
    .where('e.requestId', '=', requestId)
    .where('e.number', '>', after)
    .where('e.number', '<=', last)
    .where(isShown(hidden))
    .orderBy('e.number')
    .limit(limit)
    .execute()
}

/** The terminating documents of every attempt up to this one. */
export function findTerminatingFiles(db: Db, requestId: string, lastAttempt: number) {
  return db
    .selectFrom('requestTerminations as t')
    .innerJoin('files as f', 'f.id', 't.fileId')
    .select(['t.attempt', 'f.id', 'f.organizationId', 'f.sha256', 'f.size', 'f.destroyedAt'])
    .where('t.requestId', '=', requestId)
    .where('t.attempt', '<=', lastAttempt)
    .orderBy('t.attempt')
    .execute()
}
