/** SQL of the terms of retention and of legal holds. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import { endedStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'

/** In the order in which they were added: of two rules of the same day the later one counts. */
export function findTerms(db: Db, organizationId: string) {
  return db
    .selectFrom('retentionTerms as t')
    .leftJoin('documentKinds as k', 'k.id', 't.kindId')
    .innerJoin('users as u', 'u.id', 't.addedBy')
    .selectAll('t')
    .select(['k.name as kindName', 'u.fullName as addedByName'])
    .where('t.organizationId', '=', organizationId)
    .orderBy('t.position')
    .execute()
}

export type TermRow = Awaited<ReturnType<typeof findTerms>>[number]

export async function addTerm(tx: Tx, row: Insertable<Schema['retentionTerms']>): Promise<void> {
  await tx.insertInto('retentionTerms').values(row).execute()
}

const ended = statusNumbers(endedStatuses)

/** The condition that neither signing nor a termination of `signing_requests r` is in progress. */
export const isEnded = sql<boolean>`r.status in (${sql.join(ended.map((status) => sql.lit(status)))})`

/**
 * When `signing_requests r` ended: a refused termination changes its status once more, but not the time of the end.
 */
export const endedAt = sql<Date>`coalesce((select max(e.at) from request_events e where e.request_id = r.id
  and (e.type in ('completed', 'withdrawn', 'expired', 'terminated') or (e.type = 'rejected' and e.attempt = 0))),
  r.status_changed_at)`

/** The organisation whose documents are meant: sent by it, or received by its number or at its published points. */
export type Holder = { organizationId: string; bin: string }

export type EndedRow = {
  id: string
  isReceived: boolean
  sha256: Buffer
  isGone: boolean
  name: string
  kindId: string | null
  kindName: string | null
  number: string | null
  endedOn: string
  isSigned: boolean
  holdId: string | null
  holdReason: string | null
  heldBy: string | null
  heldAt: Date | null
}

function endedRequests(db: Db, holder: Holder, isReceived: boolean) {
  return db
    .selectFrom('signingRequests as r')
    .where(isEnded)
    .where(isReceived ? isReceivedBy(holder) : sql<boolean>`r.organization_id = ${holder.organizationId}`)
}

/**
 * The group of a published point may be gone, so the point itself tells who received the document. Former members
 * here of an organisation that has moved away do not get what comes to its number.
 */
function isReceivedBy({ organizationId, bin }: Holder) {
  return sql<boolean>`r.id in (
    select i.request_id from request_inboxes i join organizations o on o.id = ${organizationId}
    where i.inbox = ${bin} and (o.lives_at is null
      or exists (select from moved_requests m where m.request_id = i.request_id and m.organization_id = o.id))
    union all
    select p.request_id from request_points p
    where p.organization_id = ${organizationId} and ${isReachedPublishedPoint})`
}

/** The condition that `request_points p` is a counterparty's point whose turn has come. */
export const isReachedPublishedPoint = sql<boolean>`p.attempt = 0
  and p.type = ${sql.lit(pointTypes.of('CounterParty'))} and p.turn_came_at is not null`

function withHolds(db: Db, holder: Holder, isReceived: boolean) {
  const { organizationId } = holder
  return (
    endedRequests(db, holder, isReceived)
      .innerJoin('files as f', 'f.id', 'r.fileId')
      // A kind of document counts only in the organisation that has defined it.
      .leftJoin('documentKinds as k', (join) =>
        join.onRef('k.id', '=', 'r.kindId').on('k.organizationId', '=', organizationId),
      )
      .leftJoin('registrations as g', (join) =>
        join.onRef('g.requestId', '=', 'r.id').on('g.organizationId', '=', organizationId),
      )
      .leftJoin('legalHolds as h', (join) =>
        join
          .onRef('h.requestId', '=', 'r.id')
          .on('h.organizationId', '=', organizationId)
          .on('h.liftedAt', 'is', null),
      )
      .leftJoin('users as u', 'u.id', 'h.setBy')
      .select([
        'r.id',
        'r.name',
        'f.sha256',
        sql<boolean>`${isReceived}::boolean`.as('isReceived'),
        sql<boolean>`f.destroyed_at is not null`.as('isGone'),
        'k.id as kindId',
        'k.name as kindName',
        'g.number',
        sql<string>`(${endedAt} at time zone 'Asia/Almaty')::date::text`.as('endedOn'),
        sql<boolean>`exists (select from request_signatures s where s.request_id = r.id and s.state = 'accepted' and s.revision = r.revision)`.as(
          'isSigned',
        ),
        'h.id as holdId',
        'h.reason as holdReason',
        'u.fullName as heldBy',
        'h.setAt as heldAt',
      ])
  )
}

/** Requests that ended first come first, so that documents whose term is over stand at the beginning. */
export async function findEnded(
  db: Db,
  holder: Holder,
  { name = '', isReceived = false, skip, take }: EndedSearch,
): Promise<ListOf<EndedRow>> {
  const isNamed = sql<boolean>`(${name === ''} or lower(r.name) like lower(${containing(name)}))`
  const items = await withHolds(db, holder, isReceived)
    .where(isNamed)
    .orderBy('r.statusChangedAt')
    .orderBy('r.id')
    .offset(skip)
    .limit(take)
    .execute()
  const { count } = await db
    .selectFrom(
      endedRequests(db, holder, isReceived)
        .select('r.id')
        .where(isNamed)
        .limit(countLimit + 1)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

type EndedSearch = Page & { name?: string | undefined; isReceived?: boolean | undefined }

/** The requests among these that the holder sent or received; a request to one's own number counts as sent. */
export async function findEndedSome(
  db: Db,
  holder: Holder,
  requestIds: readonly string[],
): Promise<EndedRow[]> {
  const sent = await withHolds(db, holder, false).where('r.id', 'in', requestIds).execute()
  const received = await withHolds(db, holder, true)
    .where('r.id', 'in', requestIds)
    .where('r.organizationId', '!=', holder.organizationId)
    .execute()
  return [...sent, ...received]
}

/** The name of a request of the holder, which need not have ended: unfinished documents can be held, too. */
export async function findNameOf(db: Db, holder: Holder, requestId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('signingRequests as r')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .select('r.name')
    .where('r.id', '=', requestId)
    .where('f.destroyedAt', 'is', null)
    .where((eb) => eb.or([eb('r.organizationId', '=', holder.organizationId), isReceivedBy(holder)]))
    .executeTakeFirst()
  return row?.name
}

/** False if the document is held already. */
export async function addHold(
  tx: Tx,
  row: Omit<Insertable<Schema['legalHolds']>, 'liftedBy' | 'liftedAt'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('legalHolds')
    .values({ ...row, liftedBy: null, liftedAt: null })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'requestId']).where('liftedAt', 'is', null).doNothing(),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The name of the document; undefined: there is no such hold, or it was lifted before. */
export async function liftHoldRow(
  tx: Tx,
  organizationId: string,
  id: string,
  lifted: { liftedBy: string; liftedAt: Date },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('legalHolds as h')
    .from('signingRequests as r')
    .set(lifted)
    .whereRef('r.id', '=', 'h.requestId')
    .where('h.id', '=', id)
    .where('h.organizationId', '=', organizationId)
    .where('h.liftedAt', 'is', null)
    .returning('r.name')
    .executeTakeFirst()
  return row?.name
}
