/**
 * Lists of requests: incoming ones are found by inboxes (of groups, of a number), outgoing ones by the requests
 * themselves. Each list is merged from a few index ranges that are already in the order shown, so a page costs the same
 * however long the list is.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'
import { counterpartyMask, signingCounterpartyMask } from '@kelisim/domain/points/point-types.ts'
import type { requestSorts } from '@kelisim/domain/requests/list-contract.ts'
import {
  askedPointStatuses,
  pointStatusNumbers,
  requestStatuses,
  statusNumbers,
} from '@kelisim/domain/requests/status.ts'
import { containing } from '../../../lists/containing.ts'
import { receivesIncoming } from '../../../identity/core/membership-queries.ts'
import { findAbsent } from '../../../substitutions/queries.ts'
import { findFew } from './few.ts'
import { findRequestsAmong } from '../../core/state.ts'
import { memberInbox } from '../../core/inboxes.ts'
import type { LoadedRequest } from '../../core/loaded.ts'

export type RequestFilter = {
  /** A mask of statuses. */
  status: number
  /** Only for incoming requests: done by the side of the caller, or still waiting for it; null: both. */
  isDone: boolean | null
  name: string
  author: string
  /** Number of the other side, if the caller may see it. */
  bin: string | null
  classifierId: string | null
  /** Its number in this organisation begins with `number` and is of this journal; '' and null: any. */
  registered?: { organizationId: string; number: string; journalId: string | null }
  /** Days in Almaty, both included. */
  from: string | null
  to: string | null
  /** Only requests that had to be answered before this day; left out: all. */
  dueBefore?: string | null
  sort: (typeof requestSorts)[number]
  skip: number
  take: number
}

/** The table that is listed, and the conditions of its index ranges. */
type Source = {
  table: 'request_inboxes' | 'signing_requests'
  /** Each is one index range; together they are the list. */
  pieces: RawBuilder<unknown>[]
  id: 'request_id' | 'id'
  time: 'arrived_at' | 'created_at'
  /** A condition: `l`, which waits for a side, waits for the caller; true for a list that has no sides. */
  asks: RawBuilder<unknown>
  /** A condition: the caller may see a point `p` that does not sign. */
  sees: (request: RawBuilder<unknown>) => RawBuilder<unknown>
}

type ListViewer = { userId: string; organizationId: string; inboxes: Inboxes }

export function findIncoming(
  db: Db,
  viewer: ListViewer,
  filter: RequestFilter,
): Promise<{ items: LoadedRequest[]; totalCount: number }> {
  const { organizationId } = viewer
  const inboxes = [...viewer.inboxes.own, ...viewer.inboxes.absent]
  const pieces = incomingPieces(viewer)
  // Participants inside the sending organisation see all points; see domain/requests/life-cycle/permissions.ts.
  const sees: Source['sees'] = (request) => sql`(p.bin in (${sql.join(['', ...inboxes])})
    or exists (select from signing_requests a
      where a.id = ${request} and a.organization_id = ${organizationId}))`
  return findRequests(
    db,
    { table: 'request_inboxes', id: 'request_id', time: 'arrived_at', pieces, asks: asksOf(viewer), sees },
    filter,
  )
}

/**
 * A request waits for a side in `request_inboxes l` until everybody whose answer the side needs has answered. It
 * waits for the caller if they, or a colleague they stand in for, have not answered, and no other person's key is
 * asked for; see domain/requests/actors.ts.
 */
function asksOf({ userId, inboxes: { absentPeople } }: Pick<ListViewer, 'userId' | 'inboxes'>) {
  return sql<boolean>`exists (select from request_points p
    where p.request_id = l.request_id and (p.group_id::text = l.inbox or p.bin = l.inbox
        or (p.escalation_acts and p.told_deadline = 'overdue'
          and l.inbox in (p.organization_id || '/' || p.escalation_user_id, p.escalation_group_id::text)))
      and p.status in (${sql.join(pointStatusNumbers(askedPointStatuses))})
      and (not p.acted @> array[${userId}::uuid] or exists (select from group_participants g
        where g.group_id = p.group_id and g.user_id = any (${absentPeople}::uuid[])
          and g.user_id <> all (p.acted)))
      and (p.key_holder <> 'person' or p.key_holder_iin is null or p.key_holder_iin
        = coalesce((select u.iin from users u where u.id = ${userId}), p.key_holder_iin)))`
}

/** The index ranges of `request_inboxes l` with the requests that came to the viewer; search uses them too. */
export function incomingPieces({
  userId,
  inboxes: { own, absent },
}: Pick<ListViewer, 'userId' | 'inboxes'>): RawBuilder<unknown>[] {
  return [
    ...own.map((inbox) => sql`l.inbox = ${inbox}`),
    // A substitute sees what waits for the absent colleague, and what they acted on; see
    // domain/requests/life-cycle/permissions.ts.
    ...absent.flatMap((inbox) => [
      sql`l.inbox = ${inbox} and l.waits`,
      sql`l.inbox = ${inbox} and l.request_id = any (array(
        select p.request_id from request_points p
        where p.stood_in <> '{}' and p.stood_in @> array[${userId}::uuid]))`,
    ]),
  ]
}

export function findOutgoing(
  db: Db,
  organizationId: string,
  whose: { authorId: string | null; exceptAuthor: string | null },
  filter: RequestFilter,
): Promise<{ items: LoadedRequest[]; totalCount: number }> {
  const piece = outgoingPiece(organizationId, whose)
  return findRequests(
    db,
    {
      table: 'signing_requests',
      id: 'id',
      time: 'created_at',
      pieces: [piece],
      asks: sql`true`,
      sees: () => sql`true`,
    },
    filter,
  )
}

/** The index range of `signing_requests l` with outgoing requests; search uses it too. */
export function outgoingPiece(
  organizationId: string,
  { authorId, exceptAuthor }: { authorId: string | null; exceptAuthor: string | null },
): RawBuilder<unknown> {
  return sql`l.organization_id = ${organizationId}
    ${authorId === null ? sql`` : sql`and l.author_id = ${authorId}`}
    ${exceptAuthor === null ? sql`` : sql`and l.author_id <> ${exceptAuthor}`}`
}

async function findRequests(
  db: Db,
  source: Source,
  filter: RequestFilter,
): Promise<{ items: LoadedRequest[]; totalCount: number }> {
  if (source.pieces.length === 0) return { items: [], totalCount: 0 }
  const among = await findFew(db, filter, [...overdueIn(source, filter), ...namedIn(source, filter)])
  if (among?.length === 0) return { items: [], totalCount: 0 }
  const direction = sql.raw(filter.sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(filter.sort.endsWith('name') ? 'name' : source.time)
  const id = sql.raw(source.id)
  const order = sql`order by l.${column} ${direction}, l.${id} ${direction}`
  const first = sql`${order} limit ${filter.skip + filter.take}`
  // A request may be in several inboxes of the caller: it is listed once, by its latest arrival.
  const best = sql.raw(filter.sort.startsWith('-') ? 'max' : 'min')
  const [{ rows: page }, { rows: counted }] = await Promise.all([
    sql<{ id: string }>`
      select id from (
        select id, ${best}(shown) as shown
        from (${branches(source, filter, among, sql`l.${id} as id, l.${column} as shown`, first)}) found group by id) once
      order by shown ${direction}, id ${direction} offset ${filter.skip} limit ${filter.take}`.execute(db),
    sql<{ count: number }>`
      select count(*) as count from (
        select distinct id
        from (${branches(source, filter, among, sql`l.${id} as id`, sql`limit ${foundCountLimit + 1}`)}) found
        limit ${foundCountLimit + 1}) counted`.execute(db),
  ])
  const places = new Map(page.map((row, i) => [row.id, i]))
  const items = await findRequestsAmong(db, [...places.keys()])
  return {
    items: items.toSorted((one, other) => places.get(one.row.id)! - places.get(other.row.id)!),
    totalCount: counted[0]!.count,
  }
}

/** Overdue requests, found by the index of deadlines. */
function overdueIn(source: Source, { dueBefore = null }: RequestFilter): RawBuilder<unknown>[] {
  return dueBefore === null ? [] : [inPieces(source, sql`l.due_on < ${dueBefore}::date`)]
}

/**
 * Requests with this name, found by the index of names. Without further filters the list itself uses that index;
 * beside a tag of many requests all of those would be read.
 */
function namedIn(source: Source, filter: RequestFilter): RawBuilder<unknown>[] {
  const { name, author, bin, classifierId, registered } = filter
  const isAlone = author === '' && bin === null && classifierId === null && !registered
  return name === '' || isAlone ? [] : [inPieces(source, sql`lower(l.name) like name_pattern(${name})`)]
}

function inPieces(source: Source, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  const [table, id] = [sql.raw(source.table), sql.raw(source.id)]
  const pieces = source.pieces.map(
    (piece) => sql`(select l.${id} as id from ${table} l where ${piece} and ${condition})`,
  )
  return sql.join(pieces, sql` union all `)
}

/** With more index ranges than this, statuses are filtered instead of read from the index by status. */
const mostBranches = 60

function branches(
  source: Source,
  filter: RequestFilter,
  /** The only requests that can meet the filter; null: any may. */
  among: readonly string[] | null,
  columns: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const statuses = statusNumbers(requestStatuses.list(filter.status))
  const isAll = statuses.length === requestStatuses.names.length
  const byStatus =
    isAll || statuses.length * source.pieces.length > mostBranches
      ? [isAll ? sql`true` : sql`l.status in (${sql.join(statuses)})`]
      : statuses.map((status) => sql`l.status = ${status}`)
  const isAmong = among === null ? [] : [sql`l.${sql.raw(source.id)} = any (${[...new Set(among)]}::uuid[])`]
  const conditions = sql.join([...conditionsOf(source, filter), ...isAmong], sql` and `)
  const table = sql.raw(source.table)
  const all = source.pieces.flatMap((piece) =>
    byStatus.map(
      (status) =>
        sql`(select ${columns} from ${table} l where ${piece} and ${status} and ${conditions} ${end})`,
    ),
  )
  return sql.join(all, sql` union all `)
}

function conditionsOf({ id, time, asks, sees }: Source, filter: RequestFilter): RawBuilder<unknown>[] {
  const { isDone, name, author, bin, classifierId, registered, from, to, dueBefore = null } = filter
  const request = sql`l.${sql.raw(id)}`
  const moment = sql`l.${sql.raw(time)}`
  return [
    sql`true`,
    // This is the condition of the partial index.
    ...(isDone === null ? [] : [isDone ? sql`l.is_done` : sql`l.waits and ${asks}`]),
    ...(dueBefore === null ? [] : [sql`l.due_on < ${dueBefore}::date`]),
    ...(name === '' ? [] : [sql`lower(l.name) like name_pattern(${name})`]),
    ...(from === null ? [] : [sql`${moment} >= (${from}::date)::timestamp at time zone 'Asia/Almaty'`]),
    ...(to === null ? [] : [sql`${moment} < (${to}::date + 1)::timestamp at time zone 'Asia/Almaty'`]),
    ...(classifierId === null
      ? []
      : [
          sql`exists (select from request_classifiers c
            where c.request_id = ${request} and c.classifier_id = ${classifierId})`,
        ]),
    ...(registered ? isRegistered(request, registered) : []),
    ...(bin === null ? [] : [isWith(request, bin, sees(request))]),
    ...(author === ''
      ? []
      : [
          sql`exists (select from signing_requests a join users u on u.id = a.author_id
            where a.id = ${request} and lower(u.full_name) like lower(${containing(author)}))`,
        ]),
  ]
}

function isRegistered(
  request: RawBuilder<unknown>,
  { organizationId, number, journalId }: NonNullable<RequestFilter['registered']>,
): RawBuilder<unknown>[] {
  if (number === '' && journalId === null) return []
  const begins = `${number.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`
  return [
    sql`exists (select from registrations g
      where g.request_id = ${request} and g.organization_id = ${organizationId}
        ${journalId === null ? sql`` : sql`and g.journal_id = ${journalId}`}
        ${number === '' ? sql`` : sql`and lower(g.number) like ${begins}`})`,
  ]
}

/**
 * The other side is the sender or a recipient. Everybody who sees a request sees who signs it; other points are seen
 * by some only.
 */
function isWith(
  request: RawBuilder<unknown>,
  bin: string,
  seesOthers: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(exists (select from request_points p
      where p.request_id = ${request} and p.bin = ${bin} and p.attempt = 0
        and p.type & ${sql.lit(counterpartyMask)} <> 0
        and (p.type & ${sql.lit(signingCounterpartyMask)} <> 0 or ${seesOthers}))
    or exists (select from signing_requests a join organizations o on o.id = a.organization_id
      where a.id = ${request} and o.bin = ${bin}))`
}

/** When each of these requests arrived at the caller; the latest if it is in several inboxes. */
export async function findArrivals(
  db: Db,
  inboxes: readonly string[],
  requestIds: readonly string[],
): Promise<Map<string, Date>> {
  if (inboxes.length === 0 || requestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('requestInboxes')
    .select(({ fn }) => ['requestId', fn.max('arrivedAt').as('arrivedAt')])
    .where('requestId', 'in', requestIds)
    .where('inbox', 'in', inboxes)
    .groupBy('requestId')
    .execute()
  return new Map(rows.map(({ requestId, arrivedAt }) => [requestId, arrivedAt]))
}

/** Inboxes of the caller, and further ones of the colleagues they stand in for. */
export type Inboxes = { own: string[]; absent: string[]; absentPeople: string[] }

export const noInboxes: Inboxes = { own: [], absent: [], absentPeople: [] }

/**
 * Finds the inboxes of the caller in this organisation: those of their groups, and of its number for those who act on
 * what comes to it.
 */
export async function findInboxes(
  db: Db,
  viewer: { userId: string; organizationId: string },
  now: Date,
): Promise<Inboxes> {
  const { organizationId, userId } = viewer
  const absent = await findAbsent(db, viewer, now)
  const groups = await db
    .selectFrom('groupParticipants as p')
    .innerJoin('groups as g', 'g.id', 'p.groupId')
    .select(({ eb, fn }) => ['p.groupId', fn('bool_or', [eb('p.userId', '=', userId)]).as('isOwn')])
    .where('p.organizationId', '=', organizationId)
    .where('p.userId', 'in', [userId, ...absent])
    // Nobody confirms for a colleague that they know a document.
    .where((eb) => eb.or([eb('p.userId', '=', userId), eb('g.isAudience', '=', false)]))
    .groupBy('p.groupId')
    .execute()
  const inboxes = Map.groupBy(groups, ({ isOwn }) => (isOwn ? 'own' : 'absent'))
  const ofGroups = (whose: 'own' | 'absent') => (inboxes.get(whose) ?? []).map(({ groupId }) => groupId)
  const receives = await doesOneReceive(db, organizationId, [userId])
  const isStandIn = !receives && absent.length > 0 && (await doesOneReceive(db, organizationId, absent))
  const bin = receives || isStandIn ? await findConfirmedBin(db, organizationId) : []
  return {
    // Each person has an inbox of their own for what was escalated to them by name.
    own: [memberInbox(viewer), ...ofGroups('own'), ...(isStandIn ? [] : bin)],
    absent: [
      ...absent.map((id) => memberInbox({ organizationId, userId: id })),
      ...ofGroups('absent'),
      ...(isStandIn ? bin : []),
    ],
    absentPeople: absent,
  }
}

/**
 * The number to which documents come. Empty while it is not confirmed, and once the organisation has moved: then they
 * come elsewhere.
 */
async function findConfirmedBin(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('organizations')
    .select('bin')
    .where('id', '=', organizationId)
    .where('confirmedAt', 'is not', null)
    .where('livesAt', 'is', null)
    .execute()
  return rows.map(({ bin }) => bin)
}

async function doesOneReceive(db: Db, organizationId: string, people: readonly string[]): Promise<boolean> {
  const found = await db
    .selectFrom('memberships as m')
    .select('m.userId')
    .where('m.organizationId', '=', organizationId)
    .where('m.userId', 'in', people)
    .where(receivesIncoming)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

export const waitingLimit = 100

export async function countWaitingFor(
  db: Db,
  viewer: Pick<ListViewer, 'userId' | 'inboxes'>,
): Promise<number> {
  const inboxes = [...viewer.inboxes.own, ...viewer.inboxes.absent]
  if (inboxes.length === 0) return 0
  const { rows } = await sql<{ count: number }>`
    select count(distinct request_id) as count from (${sql.join(
      inboxes.map(
        (inbox) => sql`(select request_id from request_inboxes l
          where l.inbox = ${inbox} and l.waits and ${asksOf(viewer)} limit ${waitingLimit + 1})`,
      ),
      sql` union all `,
    )}) waiting`.execute(db)
  return Math.min(rows[0]!.count, waitingLimit + 1)
}
