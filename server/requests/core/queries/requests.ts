/** Signing requests: reading them whole, locking and saving them. */
import { sql, type Insertable, type Updateable } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { Change } from '@kelisim/db/together.ts'
import { statusNumbers, unfinishedStatuses } from '@kelisim/domain/requests/status.ts'
import { receivesIncoming } from '../../../identity/core/membership-queries.ts'
import { findOwnersByOrganization } from './groups.ts'
import type { PointRow, RequestRow } from './rows.ts'

export function findRequestRows(db: Db, requestIds: readonly string[]): Promise<RequestRow[]> {
  return db
    .selectFrom('signingRequests as r')
    .innerJoin('users as u', 'u.id', 'r.authorId')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .leftJoin('requestTerminations as t', (join) =>
      join.onRef('t.requestId', '=', 'r.id').onRef('t.attempt', '=', 'r.attempt'),
    )
    .leftJoin('packages as k', 'k.id', 'r.packageId')
    .selectAll('r')
    .select(['k.name as packageName', 'k.isTogether'])
    .select(['u.fullName as authorName', 'f.size', 'f.sha256', 'f.destroyedAt'])
    .select('t.fromStatus as terminatedFrom')
    .where('r.id', 'in', requestIds)
    .modifyEnd(byKey)
    .execute()
}

/** Keeps others from changing the request before the transaction ends. */
export async function lockRequestRow(tx: Tx, requestId: string): Promise<void> {
  await tx.selectFrom('signingRequests').select('id').where('id', '=', requestId).forUpdate().execute()
}

/**
 * An organisation that has confirmed the number. One that has moved away receives only the requests that it took
 * along: what was sent to the number since then is not for its former people here.
 */
const isReceiver = sql`p.bin <> '' and o.bin = p.bin and o.confirmed_at is not null and (
  o.lives_at is null
  or exists (select from moved_requests m where m.request_id = p.request_id and m.organization_id = o.id))`

/**
 * Who may act now: the participants of the group; without a group, the owners of the organisation that has confirmed
 * the number, and those they appointed.
 */
const participants = sql<PointRow['participants']>`coalesce((
  select jsonb_agg(jsonb_build_object('id', u.id, 'fullName', u.full_name) order by u.full_name, u.id)
  from users u
  where u.id in (
    select gp.user_id from group_participants gp where gp.group_id = p.group_id
    union all
    select m.user_id from organizations o join memberships m on m.organization_id = o.id
    where p.group_id is null and ${isReceiver} and ${receivesIncoming})), '[]')`.as('participants')

/** The people of the group, or the person while they are a member. */
const escalationPeople = sql<PointRow['escalationPeople']>`case
  when p.escalation_group_id is not null then coalesce((
    select jsonb_agg(jsonb_build_object('id', u.id, 'fullName', u.full_name) order by u.full_name, u.id)
    from group_participants gp join users u on u.id = gp.user_id where gp.group_id = p.escalation_group_id), '[]')
  when p.escalation_user_id is not null then coalesce((
    select jsonb_agg(jsonb_build_object('id', u.id, 'fullName', u.full_name))
    from memberships m join users u on u.id = m.user_id
    where m.user_id = p.escalation_user_id and m.organization_id = p.organization_id), '[]')
  else '[]' end`.as('escalationPeople')

const escalationName = sql<string | null>`case
  when p.escalation_group_id is not null then (select e.name from groups e where e.id = p.escalation_group_id)
  when p.escalation_user_id is not null then (
    select u.full_name from users u where u.id = p.escalation_user_id) end`.as('escalationName')

const actsFor = sql<string | null>`case when p.group_id is not null then p.organization_id else (
  select o.id from organizations o where ${isReceiver}) end`.as('actsForId')

/**
 * Points of the signing process and of the last termination. For a group that was deleted since its people signed, the
 * owners of its organisation act: otherwise nobody could terminate the contract.
 */
export async function findPointRows(db: Db, requestIds: readonly string[]): Promise<PointRow[]> {
  const points = await db
    .selectFrom('requestPoints as p')
    .innerJoin('signingRequests as r', 'r.id', 'p.requestId')
    .leftJoin('groups as g', 'g.id', 'p.groupId')
    .selectAll('p')
    .select(['g.name as groupName', 'g.isAudience', participants, actsFor, escalationPeople, escalationName])
    .where('p.requestId', 'in', requestIds)
    .where((eb) => eb.or([eb('p.attempt', '=', 0), eb('p.attempt', '=', eb.ref('r.attempt'))]))
    .orderBy('p.attempt')
    .orderBy('p.order')
    .orderBy('p.name')
    .orderBy('p.pointId')
    .modifyEnd(byKey)
    .execute()
  const isOrphaned = ({ groupId, groupName }: PointRow) => groupId !== null && groupName === null
  const orphaned = points.filter(isOrphaned).flatMap(({ organizationId }) => organizationId ?? [])
  if (orphaned.length === 0) return points
  const owners = await findOwnersByOrganization(db, orphaned)
  return points.map((point) =>
    isOrphaned(point) ? { ...point, participants: owners.get(point.organizationId ?? '') ?? [] } : point,
  )
}

export async function addRequestRow(tx: Tx, row: Insertable<Schema['signingRequests']>): Promise<void> {
  await tx.insertInto('signingRequests').values(row).execute()
}

export async function updateRequestRow(
  tx: Tx,
  requestId: string,
  changes: Updateable<Schema['signingRequests']>,
): Promise<void> {
  await changedRequest(tx, requestId, changes).execute()
}

export function changedRequest(tx: Tx, requestId: string, changes: Updateable<Schema['signingRequests']>) {
  return tx.updateTable('signingRequests').set(changes).where('id', '=', requestId)
}

export async function addPointRows(
  tx: Tx,
  rows: readonly Insertable<Schema['requestPoints']>[],
): Promise<void> {
  await tx.insertInto('requestPoints').values(rows).execute()
}

/** Removes steps ahead from a running request; the database refuses to delete any other point. */
export async function removePointRows(tx: Tx, requestId: string, pointIds: readonly string[]): Promise<void> {
  if (pointIds.length === 0) return
  await tx
    .deleteFrom('requestPoints')
    .where('requestId', '=', requestId)
    .where('attempt', '=', 0)
    .where('pointId', 'in', pointIds)
    .execute()
}

/** Moves steps ahead to another turn. */
export async function movePointRows(
  tx: Tx,
  requestId: string,
  steps: readonly { pointId: string; order: number }[],
): Promise<void> {
  for (const [order, together] of Map.groupBy(steps, (step) => step.order)) {
    await tx
      .updateTable('requestPoints')
      .set({ order })
      .where('requestId', '=', requestId)
      .where('attempt', '=', 0)
      .where(
        'pointId',
        'in',
        together.map(({ pointId }) => pointId),
      )
      .execute()
  }
}

/** `stoodInBy` is the person who acted for an absent colleague. */
export function changedPoints(
  tx: Tx,
  key: { requestId: string; attempt: number; pointIds: readonly string[] },
  {
    acted,
    stoodInBy,
    ...changes
  }: Omit<Updateable<Schema['requestPoints']>, 'acted' | 'stoodIn'> & {
    acted: readonly string[]
    stoodInBy: string | undefined
  },
): Change {
  return tx
    .updateTable('requestPoints')
    .set({
      ...changes,
      acted: sql`${acted}::uuid[]`,
      ...(stoodInBy !== undefined && { stoodIn: sql<string[]>`array_append(stood_in, ${stoodInBy}::uuid)` }),
    })
    .where('requestId', '=', key.requestId)
    .where('attempt', '=', key.attempt)
    .where('pointId', 'in', key.pointIds)
}

/** The request that was sent instead of this one. */
export async function findFollower(db: Db, requestId: string): Promise<string | undefined> {
  const follower = await db
    .selectFrom('signingRequests')
    .select('id')
    .where('followsId', '=', requestId)
    .executeTakeFirst()
  return follower?.id
}

/** Which of these documents belong to requests that are not finished. */
export async function documentsInUse(db: Db, documentIds: readonly string[]): Promise<Set<string>> {
  if (documentIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('signingRequests')
    .select('documentId')
    .distinct()
    .where('documentId', 'in', documentIds)
    .where('status', 'in', statusNumbers(unfinishedStatuses))
    .execute()
  return new Set(rows.flatMap(({ documentId }) => (documentId === null ? [] : [documentId])))
}

/** Which of these routes belong to requests that are not finished. */
export async function routesInUse(db: Db, routeIds: readonly string[]): Promise<Set<string>> {
  if (routeIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('signingRequests')
    .select('routeId')
    .distinct()
    .where('routeId', 'in', routeIds)
    .where('status', 'in', statusNumbers(unfinishedStatuses))
    .execute()
  return new Set(rows.flatMap(({ routeId }) => (routeId === null ? [] : [routeId])))
}
