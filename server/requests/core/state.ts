/**
 * A request between the database and the rule (domain/requests/life-cycle.ts): read with all that the rule asks about,
 * and written with the events that the rule decided on, in one transaction.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { KeptActor } from '@kelisim/db/schema/requests.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  apply,
  due,
  isDone,
  isNews,
  pointsOf,
  processOf,
  type RequestEvent,
  type RequestPoint,
  type SigningRequest,
} from '@kelisim/domain/requests/life-cycle.ts'
import { isWorn, type Lock } from '@kelisim/domain/requests/lock.ts'
import { refusalOfCode } from '@kelisim/domain/requests/signer.ts'
import {
  pointStatuses,
  pointStatusOf,
  requestStatuses,
  requestStatusOf,
} from '@kelisim/domain/requests/status.ts'
import { logEvents } from '../../transparency/log.ts'
import { findOwnersAmong } from './gone-groups.ts'
import { saveInboxes } from './inboxes.ts'
import type { RequestRow, PointRow, Loaded } from './loaded.ts'

export async function findRequest(db: Db, requestId: string): Promise<Loaded | undefined> {
  return (await findRequestsAmong(db, [requestId]))[0]
}

/** In no particular order; those that are not there are left out. */
export async function findRequestsAmong(db: Db, requestIds: readonly string[]): Promise<Loaded[]> {
  if (requestIds.length === 0) return []
  const rows = await wholeRequests(db).where('r.id', 'in', requestIds).execute()
  const points = Map.groupBy(await findPoints(db, requestIds), ({ requestId }) => requestId)
  return rows.map((row) => {
    const ofRow = points.get(row.id) ?? []
    const signing = ofRow.filter(({ attempt }) => attempt === 0)
    const terminating = ofRow.filter(({ attempt }) => attempt > 0)
    return { row, signing, terminating, request: ruleOf(row, signing, terminating) }
  })
}

/** Nobody else acts on it before the transaction ends. */
export async function lockedRequest(tx: Tx, requestId: string): Promise<Loaded | undefined> {
  await tx.selectFrom('signingRequests').select('id').where('id', '=', requestId).forUpdate().execute()
  return findRequest(tx, requestId)
}

export function wholeRequests(db: Db) {
  return db
    .selectFrom('signingRequests as r')
    .innerJoin('users as u', 'u.id', 'r.authorId')
    .innerJoin('organizations as o', 'o.id', 'r.organizationId')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .leftJoin('requestTerminations as t', (join) =>
      join.onRef('t.requestId', '=', 'r.id').onRef('t.attempt', '=', 'r.attempt'),
    )
    .selectAll('r')
    .select(['u.fullName as authorName', 'o.shortName', 'o.bin', 'f.size', 'f.sha256'])
    .select('t.fromStatus as terminatedFrom')
}

/** Who may act there now: of a group its participants, of a number outside the owners of whoever has confirmed it. */
const participants = sql<PointRow['participants']>`coalesce((
  select jsonb_agg(jsonb_build_object('id', u.id, 'fullName', u.full_name) order by u.full_name, u.id)
  from users u
  where u.id in (select gp.user_id from group_participants gp where gp.group_id = p.group_id)
    or (p.group_id is null and p.bin <> '' and u.id in (
      select m.user_id from organizations o join memberships m on m.organization_id = o.id
      where o.bin = p.bin and o.confirmed_at is not null and m.roles & ${roles.of('Owner')} <> 0))), '[]')`.as(
  'participants',
)

const actsFor = sql<string | null>`case when p.group_id is not null then p.organization_id else (
  select o.id from organizations o where p.bin <> '' and o.bin = p.bin and o.confirmed_at is not null) end`.as(
  'actsForId',
)

/** Of the signing process and of the last attempt to terminate. */
async function findPoints(db: Db, requestIds: readonly string[]): Promise<PointRow[]> {
  const points = await db
    .selectFrom('requestPoints as p')
    .innerJoin('signingRequests as r', 'r.id', 'p.requestId')
    .leftJoin('groups as g', 'g.id', 'p.groupId')
    .selectAll('p')
    .select(['g.name as groupName', participants, actsFor])
    .where('p.requestId', 'in', requestIds)
    .where((eb) => eb.or([eb('p.attempt', '=', 0), eb('p.attempt', '=', eb.ref('r.attempt'))]))
    .orderBy('p.attempt')
    .orderBy('p.order')
    .orderBy('p.name')
    .orderBy('p.pointId')
    .execute()
  const isOrphaned = ({ groupId, groupName }: PointRow) => groupId !== null && groupName === null
  const orphaned = points.filter(isOrphaned).flatMap(({ organizationId }) => organizationId ?? [])
  if (orphaned.length === 0) return points
  const owners = await findOwnersAmong(db, orphaned)
  return points.map((point) =>
    isOrphaned(point) ? { ...point, participants: owners.get(point.organizationId ?? '') ?? [] } : point,
  )
}

function ruleOf(
  row: RequestRow,
  signing: readonly PointRow[],
  terminating: readonly PointRow[],
): SigningRequest {
  const status = requestStatusOf(row.status)
  const { terminatedFrom } = row
  const from =
    terminatedFrom !== null && requestStatusOf(terminatedFrom) === 'Signed' ? 'Signed' : 'Completed'
  const request: SigningRequest = {
    authorId: row.authorId,
    status,
    points: signing.map(rulePoint),
    termination:
      processOf({ status }) === 'terminating' ? { from, points: terminating.map(rulePoint) } : null,
    lock: null,
  }
  const lock = lockOf(row)
  return { ...request, lock: lock && { ...lock, isWorn: isWorn(row.lockHeld, turnOf(row, request)) } }
}

export function lockOf({ lockBy, lockUntil }: Pick<RequestRow, 'lockBy' | 'lockUntil'>): Lock | null {
  return lockBy !== null && lockUntil !== null ? { by: lockBy, until: lockUntil } : null
}

/** Names the turn that it is now: of which attempt, and whose. */
export function turnOf({ attempt }: Pick<RequestRow, 'attempt'>, request: SigningRequest): string {
  const [first] = due(pointsOf(request))
  return `${request.termination === null ? 0 : attempt}.${first?.order ?? 0}`
}

function rulePoint(row: PointRow): RequestPoint {
  const type = typeOf(row.type)!
  const { pointId, order, condition, isEdsRequired, acted, pendingSignature, pendingBy } = row
  return {
    pointId,
    type,
    order,
    condition,
    isEdsRequired,
    acted,
    stoodIn: row.stoodIn,
    status: pointStatusOf(row.status),
    participants: row.participants.map(({ id }) => id),
    organizationId: row.actsForId,
    // Who sends without an account has no group: there whoever proves the number acts.
    bin: (sideOf(type) === 'external' || row.groupId === null) && row.bin !== '' ? row.bin : null,
    pending: pendingSignature && pendingBy ? { signatureId: pendingSignature, by: pendingBy } : null,
  }
}

/** Who did what is written down here, and what they said with it. */
export type Deed = {
  /** null: the system. */
  actor: KeptActor | null
  address: string | null
  comment: string
  /** Who is named at the point, where it is not who acts: a check ends long after the person signed. */
  said?: { fullName: string; insteadOf?: string; comment: string }
  /** What else there is to know about the first event. */
  data?: Record<string, unknown>
}

/** State, history and whose lists it lies in, all or nothing. The request has to be locked. */
export async function saveEvents(
  tx: Tx,
  loaded: Loaded,
  events: readonly RequestEvent[],
  deed: Deed,
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const { row } = loaded
  const attempt = row.attempt + (events.some(({ type }) => type === 'termination-begun') ? 1 : 0)
  await appendHistory(tx, loaded, events, attempt, deed, now)
  const after = events.reduce(apply, loaded.request)
  await savePoints(tx, loaded, after, events, attempt, deed, now)
  const status = requestStatuses.of(after.status)
  await tx
    .updateTable('signingRequests')
    .set({
      status,
      attempt,
      version: row.version + 1,
      eventsCount: row.eventsCount + events.length,
      changedAt: now,
      ...(status !== row.status && { statusChangedAt: now }),
    })
    .where('id', '=', row.id)
    .execute()
  await saveInboxes(tx, loaded, after, now)
  await announce(tx, row.id, row.version + 1)
  // Last: whoever appends to the log is waited for by everybody who acts on any request.
  const [first, last] = [row.eventsCount + 1, row.eventsCount + events.length]
  await logEvents(tx, { requestId: row.id, first, last })
}

async function appendHistory(
  tx: Tx,
  { row, request }: Loaded,
  events: readonly RequestEvent[],
  attempt: number,
  { actor, address, comment, data = {} }: Deed,
  now: Date,
): Promise<void> {
  let before = request
  const rows = events.map((event, i) => {
    const after = apply(before, event)
    const [from, to] = [before.status, after.status]
    before = after
    const isDeed = i === 0
    const ofSigning = 'process' in event && event.process === 'signing'
    return {
      requestId: row.id,
      number: row.eventsCount + i + 1,
      at: now,
      type: event.type,
      attempt: ofSigning ? 0 : attempt,
      pointId: 'pointId' in event ? event.pointId : null,
      actor: isDeed && actor ? JSON.stringify(actor) : null,
      address: isDeed ? address : null,
      comment: isDeed ? comment : '',
      data: JSON.stringify({
        ...('signatureId' in event && { signatureId: event.signatureId }),
        ...(isDeed && data),
      }),
      before: requestStatuses.of(from),
      after: requestStatuses.of(to),
    }
  })
  await tx.insertInto('requestEvents').values(rows).execute()
  if (!rows.some(({ type }) => isNews(type))) return
  // Whoever is to be told of these is told after the commit: server/notifications/telling.ts.
  const untold = { firstNumber: rows[0]!.number, lastNumber: rows.at(-1)!.number }
  await tx
    .insertInto('untoldEvents')
    .values({ requestId: row.id, ...untold, at: now })
    .execute()
}

async function savePoints(
  tx: Tx,
  loaded: Loaded,
  after: SigningRequest,
  events: readonly RequestEvent[],
  attempt: number,
  deed: Deed,
  now: Date,
): Promise<void> {
  const began = attempt > loaded.row.attempt
  // Points of an attempt that was refused are gone from the rule, and stay in the history as they were then.
  const last = lastTermination(loaded.request, events) ?? after.termination
  if (began) await addTerminatingPoints(tx, loaded, attempt)
  const changed = [
    ...after.points.map((point) => ({ point, attempt: 0, before: loaded.request.points })),
    ...(last?.points ?? []).map((point) => ({
      point,
      attempt,
      before: began ? [] : (loaded.request.termination?.points ?? []),
    })),
  ].filter(({ point, before }) => before.find(({ pointId }) => pointId === point.pointId) !== point)
  for (const { point, attempt: of } of changed) {
    const happened = events.filter(
      (event) =>
        'pointId' in event && event.pointId === point.pointId && (event.process === 'signing') === (of === 0),
    )
    const turnCame = happened.some(({ type }) => type === 'turn-came')
    const reason = happened.map((event) => reasonOf(event, deed)).findLast((found) => found !== null)
    await tx
      .updateTable('requestPoints')
      .set({
        status: pointStatuses[point.status],
        acted: sql`${point.acted}::uuid[]`,
        ...(happened.includes(events[0]!) && stoodIn(deed)),
        pendingSignature: point.pending?.signatureId ?? null,
        pendingBy: point.pending?.by ?? null,
        ...(turnCame && { turnCameAt: now }),
        ...(isDone(point) || point.status === 'Rejected' ? { doneAt: now } : {}),
        ...(reason !== undefined && { reason: JSON.stringify(reason) }),
      })
      .where('requestId', '=', loaded.row.id)
      .where('attempt', '=', of)
      .where('pointId', '=', point.pointId)
      .execute()
  }
}

function stoodIn({ actor }: Deed) {
  return actor?.insteadOf && { stoodIn: sql<string[]>`array_append(stood_in, ${actor.id}::uuid)` }
}

/** As the attempt stood when one side refused it. */
function lastTermination(
  before: SigningRequest,
  events: readonly RequestEvent[],
): SigningRequest['termination'] {
  const refusal = events.find((event) => event.type === 'rejected' && event.process === 'terminating')
  if (refusal?.type !== 'rejected' || !before.termination) return null
  const points = before.termination.points.map((point) =>
    point.pointId === refusal.pointId ? { ...point, status: 'Rejected' as const } : point,
  )
  return { ...before.termination, points }
}

/** What SPEC.md calls statusDescriptionData: who, and what they said, or why it failed. */
function reasonOf(
  event: RequestEvent,
  { actor, comment, said, data }: Deed,
): { alias: string; parameters: Record<string, unknown> } | null {
  const parameters = said ?? { ...shownName(actor), comment }
  switch (event.type) {
    case 'signature-refused':
      return { alias: refusalOfCode(data?.['code']), parameters: { ...parameters, code: data?.['code'] } }
    case 'signature-accepted':
    case 'approved':
    case 'confirmed':
    case 'rejected':
      return { alias: 'user-comment', parameters }
    case 'started':
    case 'turn-came':
    case 'signature-taken':
    case 'point-done':
    case 'all-signed':
    case 'completed':
    case 'withdrawn':
    case 'termination-begun':
    case 'termination-signed':
    case 'terminated':
      return null
  }
}

/** Both names, where one acted instead of the other. */
export function shownName(actor: KeptActor | null): { fullName: string; insteadOf?: string } {
  return {
    fullName: actor?.fullName ?? '',
    ...(actor?.insteadOf && { insteadOf: actor.insteadOf.fullName }),
  }
}

async function addTerminatingPoints(tx: Tx, { row, signing }: Loaded, attempt: number): Promise<void> {
  const signed = signing.filter(({ status }) => pointStatusOf(status) === 'Signed')
  const rows = signed.map(({ groupName: _, participants: __, actsForId: ___, ...point }) => ({
    ...point,
    requestId: row.id,
    attempt,
    status: pointStatuses.InQueue,
    reason: null,
    acted: [],
    stoodIn: [],
    turnCameAt: null,
    doneAt: null,
  }))
  await tx.insertInto('requestPoints').values(rows).execute()
}

export const changesChannel = 'request_changes'

/** Whoever sends a request chooses its number: a person is spoken of in words that no number has. */
export function ofPerson(userId: string): string {
  return `person ${userId}`
}

/** Heard by every process when the transaction is committed. */
export async function announce(tx: Tx, signingRequestId: string, currentVersion: number): Promise<void> {
  const message = JSON.stringify({ signingRequestId, currentVersion })
  await sql`select pg_notify(${changesChannel}, ${message})`.execute(tx)
}
