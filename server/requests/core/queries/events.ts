/** The history of a request. */
import { sql, type Insertable } from 'kysely'
import { byKey, markCommit, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { Change } from '@kelisim/db/together.ts'
import { eventsOfSides } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { receiptTypes, type PointReceipt } from '@kelisim/domain/requests/receipts/receipt.ts'
import { currentRequestId } from '../../../tracing/tracing.ts'

export type NewEvent = Omit<Insertable<Schema['requestEvents']>, 'cause'>

/** The database records that the events wait for the transparency log, which is told once they are committed. */
export function addedEvents(tx: Tx, rows: readonly NewEvent[]): Change {
  const cause = currentRequestId() ?? null
  markCommit(tx)
  return tx.insertInto('requestEvents').values(rows.map((row) => ({ ...row, cause })))
}

/** Events whose recipients are notified after the commit: server/notifications/delivery.ts. */
export function addedPendingEvents(
  tx: Tx,
  pending: { requestId: string; firstNumber: number; lastNumber: number; at: Date },
): Change {
  return tx.insertInto('untoldEvents').values(pending)
}

type Page = { skip: number; take: number }

/**
 * What a person must not see of a history: every event at `points`, those events at `openings` that only their side
 * is told, and events of `types`.
 */
export type HiddenEvents = {
  points: readonly string[]
  openings: readonly string[]
  types: readonly string[]
}

/** A condition on events with the table alias `e`. */
export function isShown({ points, openings, types }: HiddenEvents) {
  return sql<boolean>`(e.type <> all(${types}::text[]) and (e.point_id is null or (e.point_id <> all(${points}::uuid[])
    and not (e.type = any(${eventsOfSides}::text[]) and e.point_id = any(${openings}::uuid[])))))`
}

/** The latest first. */
export function findEventsPage(db: Db, requestId: string, hidden: HiddenEvents, { skip, take }: Page) {
  return db
    .selectFrom('requestEvents as e')
    .select(['number', 'at', 'type', 'actor', 'pointId', 'comment', 'data', 'before', 'after'])
    .where('requestId', '=', requestId)
    .where(isShown(hidden))
    .orderBy('number', 'desc')
    .offset(skip)
    .limit(take)
    .execute()
}

/** How often the steps ahead were changed. */
export async function countReroutings(db: Db, requestId: string): Promise<number> {
  const { count } = await db
    .selectFrom('requestEvents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('requestId', '=', requestId)
    .where('type', '=', 'rerouted')
    .executeTakeFirstOrThrow()
  return count
}

export async function countEvents(db: Db, requestId: string, hidden: HiddenEvents): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from request_events e
    where e.request_id = ${requestId} and ${isShown(hidden)}`.execute(db)
  return rows[0]!.count
}

/** The number of the event that last replaced the document; acts before it concern other bytes. */
export function lastCorrection(requestId: string) {
  return sql<number>`coalesce((
    select max(from_event) from request_revisions where request_id = ${requestId} and revision > 1), 0)`
}

const actTypes = ['approved', 'confirmed', 'rejected'] as const
export type ActRow = Awaited<ReturnType<typeof findActs>>[number]

/** What people did at points without a signature, in the signing process and in this attempt to terminate. */
export function findActs(db: Db, requestId: string, attempt: number) {
  return db
    .selectFrom('requestEvents')
    .select(['type', 'attempt', 'pointId', 'actor', 'at', 'comment'])
    .where('requestId', '=', requestId)
    .where('type', 'in', actTypes)
    .where('attempt', 'in', [0, attempt])
    .where('number', '>', lastCorrection(requestId))
    .orderBy('number')
    .modifyEnd(byKey)
    .execute()
}

export type OpeningRow = Awaited<ReturnType<typeof findOpenings>>[number]

/** The first opening by everybody who was asked, in the signing process and in this attempt to terminate. */
export async function findOpenings(db: Db, requestId: string, attempt: number) {
  const rows = await db
    .selectFrom('requestEvents')
    .select(['attempt', 'pointId', 'actor', 'at'])
    .where('requestId', '=', requestId)
    .where('type', '=', 'opened')
    .where('attempt', 'in', [0, attempt])
    .where('number', '>', lastCorrection(requestId))
    .orderBy('number')
    .modifyEnd(byKey)
    .execute()
  return rows.flatMap(({ actor, ...row }) => {
    const process = row.attempt === 0 ? ('signing' as const) : ('terminating' as const)
    return actor ? [{ ...row, actor, actorId: actor.id, process }] : []
  })
}

/** The receipts of the news of turns that the history has for the current document. */
export async function findReceipts(db: Db, requestId: string): Promise<PointReceipt[]> {
  const rows = await db
    .selectFrom('requestEvents')
    .select(['type', 'attempt', 'pointId'])
    .select(sql<boolean>`data ? 'to'`.as('isOfColleague'))
    .where('requestId', '=', requestId)
    .where('type', 'in', receiptTypes)
    .where((eb) => eb.or([eb('attempt', '>', 0), eb('number', '>', lastCorrection(requestId))]))
    .execute()
  return rows.flatMap(({ type, pointId, ...row }) => {
    const known = receiptTypes.find((one) => one === type)
    return known && pointId !== null ? [{ ...row, type: known, pointId }] : []
  })
}

/** The withdrawal by the author, or by expiry. Searched from the end of the history, where it stands. */
export function findWithdrawal(db: Db, requestId: string) {
  return db
    .selectFrom('requestEvents')
    .select(['type', 'actor', 'at', 'comment'])
    .where('requestId', '=', requestId)
    .where('type', 'in', ['withdrawn', 'expired'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}
