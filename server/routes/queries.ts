/** Routes and route templates. */
import { sql } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import type { EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { turnsOf, type VisibilityScope } from '@kelisim/domain/routes/route.ts'

export type Placing = {
  pointId: string
  order: number
  condition: Condition | null
  /** How many working days the people of the point have. */
  termDays: number | null
  /** Who is told when these days are over. */
  escalation: EscalationTo | null
}

export type RouteLineRow = {
  id: string
  organizationId: string
  authorId: string
  authorName: string
  name: string
  description: string
  scope: VisibilityScope
  type: number
  pointsCount: number
  turnsCount: number
  templateId: string | null
  isActive: boolean
  version: number
  createdAt: Date
}

export type RouteRow = RouteLineRow & {
  savedBy: { userId: string; fullName: string }
  savedAt: Date
  points: Placing[]
}

export function linesOfRoutes(db: Db) {
  return db
    .selectFrom('routes as r')
    .innerJoin('users as u', 'u.id', 'r.authorId')
    .select(['r.id', 'r.organizationId', 'r.authorId', 'u.fullName as authorName', 'r.name', 'r.description'])
    .select(['r.scope', 'r.type', 'r.pointsCount', 'r.turnsCount', 'r.templateId', 'r.isActive', 'r.version'])
    .select('r.createdAt')
}

/** The routes with these ids that are of this organisation and kind, in no particular order. */
export function findRoutesAmong(
  db: Db,
  organizationId: string,
  kind: RouteKind,
  ids: readonly string[],
): Promise<RouteLineRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return linesOfRoutes(db)
    .where('r.organizationId', '=', organizationId)
    .where('r.kind', '=', kind)
    .where('r.id', 'in', ids)
    .execute()
}

/** Routes by their ids or names, ignoring case and spaces in names; `texts` must be in lower case. */
export function findRoutesNamed(
  db: Db,
  organizationId: string,
  texts: readonly string[],
): Promise<RouteLineRow[]> {
  if (texts.length === 0) return Promise.resolve([])
  return linesOfRoutes(db)
    .where('r.organizationId', '=', organizationId)
    .where('r.kind', '=', 'route')
    .where(
      sql<boolean>`(r.id::text = any(${texts}::text[])
        or lower(regexp_replace(btrim(r.name), '\\s+', ' ', 'g')) = any(${texts}::text[]))`,
    )
    .execute()
}

export async function findRoute(
  db: Db,
  organizationId: string,
  kind: RouteKind,
  routeId: string,
): Promise<RouteRow | undefined> {
  const row = await linesOfRoutes(db)
    .innerJoin('routeVersions as v', (join) =>
      join.onRef('v.routeId', '=', 'r.id').onRef('v.version', '=', 'r.version'),
    )
    .innerJoin('users as s', 's.id', 'v.savedBy')
    .select(['v.savedAt', 's.id as savedById', 's.fullName as savedByName'])
    .select(
      sql<Placing[]>`(
        select jsonb_agg(jsonb_build_object('pointId', p.point_id, 'order', p."order", 'condition', p.condition,
            'termDays', p.term_days, 'escalation', case
              when p.escalation_user_id is not null then jsonb_build_object(
                'kind', 'person', 'id', p.escalation_user_id, 'mayAct', p.escalation_acts)
              when p.escalation_group_id is not null then jsonb_build_object(
                'kind', 'group', 'id', p.escalation_group_id, 'mayAct', p.escalation_acts) end)
          order by p."order", p.place)
        from route_points p where p.route_id = r.id)`.as('points'),
    )
    .where('r.organizationId', '=', organizationId)
    .where('r.kind', '=', kind)
    .where('r.id', '=', routeId)
    .modifyEnd(byKey)
    .executeTakeFirst()
  if (!row) return undefined
  const { savedById, savedByName, ...same } = row
  return { ...same, savedBy: { userId: savedById, fullName: savedByName } }
}

/** Whether any point of the route asks for signatures inside the document. */
export async function asksForForm(db: Db, organizationId: string, routeId: string): Promise<boolean> {
  const found = await db
    .selectFrom('routes as r')
    .innerJoin('routePoints as placed', 'placed.routeId', 'r.id')
    .innerJoin('points as p', 'p.id', 'placed.pointId')
    .select('p.id')
    .where('r.organizationId', '=', organizationId)
    .where('r.id', '=', routeId)
    .where('p.signatureForm', '<>', 'cms')
    .limit(1)
    .modifyEnd(byKey)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Locks the route: nobody else changes, switches or deletes it before the transaction ends. Callers that only read it
 * share the lock.
 */
export async function lockRoute(
  tx: Tx,
  organizationId: string,
  kind: RouteKind,
  routeId: string,
  how: 'share' | 'update' = 'update',
): Promise<RouteRow | undefined> {
  const route = tx
    .selectFrom('routes')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .where('id', '=', routeId)
  // Read in a separate statement, so that it shows what the transaction waited for has committed.
  await (how === 'share' ? route.forShare() : route.forUpdate()).execute()
  return findRoute(tx, organizationId, kind, routeId)
}

/** A point as a version stores it. */
export type KeptPoint = Placing & { name: string; type: number }

export type Content = {
  name: string
  description: string
  scope: VisibilityScope
  /** The types of its points. */
  type: number
  points: readonly KeptPoint[]
}

type Saved = { by: string; at: Date }

export async function addRouteRow(
  tx: Tx,
  route: { id: string; organizationId: string; kind: RouteKind; templateId: string | null } & Content,
  { by, at }: Saved,
): Promise<void> {
  const { points, ...row } = route
  await tx
    .insertInto('routes')
    .values({ ...row, ...countsOf(points), authorId: by, createdAt: at })
    .execute()
  await putPoints(tx, route, points)
  await keepVersion(tx, route.id, { by, at }, points)
}

export async function saveRouteRow(
  tx: Tx,
  route: Pick<RouteRow, 'id' | 'organizationId' | 'version'>,
  { points, ...row }: Content,
  saved: Saved,
): Promise<void> {
  await tx
    .updateTable('routes')
    .set({ ...row, ...countsOf(points), version: route.version + 1 })
    .where('id', '=', route.id)
    .execute()
  await tx.deleteFrom('routePoints').where('routeId', '=', route.id).execute()
  await putPoints(tx, route, points)
  await keepVersion(tx, route.id, saved, points)
}

export async function switchRouteRow(
  tx: Tx,
  route: Pick<RouteRow, 'id' | 'version'>,
  isActive: boolean,
  points: readonly KeptPoint[],
  saved: Saved,
): Promise<void> {
  await tx
    .updateTable('routes')
    .set({ isActive, version: route.version + 1 })
    .where('id', '=', route.id)
    .execute()
  await keepVersion(tx, route.id, saved, points)
}

/** Fails while anything refers to the route. */
export async function deleteRouteRow(tx: Tx, routeId: string): Promise<void> {
  await tx.deleteFrom('routes').where('id', '=', routeId).execute()
}

function countsOf(points: readonly Pick<Placing, 'order'>[]): { pointsCount: number; turnsCount: number } {
  return { pointsCount: points.length, turnsCount: turnsOf(points).length }
}

async function putPoints(
  tx: Tx,
  { id: routeId, organizationId }: { id: string; organizationId: string },
  points: readonly Placing[],
): Promise<void> {
  const rows = points.map(({ pointId, order, condition, termDays, escalation }, place) => ({
    organizationId,
    routeId,
    pointId,
    order,
    place,
    condition: condition && JSON.stringify(condition),
    termDays,
    ...escalationColumns(escalation),
  }))
  await tx.insertInto('routePoints').values(rows).execute()
}

/** The columns in which routes and requests store an escalation. */
export function escalationColumns(escalation: EscalationTo | null) {
  return {
    escalationUserId: escalation?.kind === 'person' ? escalation.id : null,
    escalationGroupId: escalation?.kind === 'group' ? escalation.id : null,
    escalationActs: escalation?.mayAct ?? false,
  }
}

/** The names of these members and groups, by id, as far as they belong to this organisation. */
export async function findEscalationNames(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, u.full_name as name from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and m.user_id = any (${[...ids]}::uuid[])
    union all
    select id, name from groups
      where organization_id = ${organizationId} and not is_audience and id = any (${[...ids]}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Stores the current state as a version. */
async function keepVersion(
  tx: Tx,
  routeId: string,
  { by, at }: Saved,
  points: readonly KeptPoint[],
): Promise<void> {
  const kept = points.map(({ pointId, order, name, type, condition, termDays, escalation }) => ({
    pointId,
    order,
    name,
    type,
    ...(condition && { condition }),
    ...(termDays !== null && { termDays }),
    ...(escalation && { escalation }),
  }))
  await sql`
    insert into route_versions
      (organization_id, route_id, version, name, description, scope, is_active, points, saved_by, saved_at)
    select organization_id, id, version, name, description, scope, is_active, ${JSON.stringify(kept)}::jsonb, ${by}, ${at}
    from routes where id = ${routeId}`.execute(tx)
}

export type VersionRow = {
  version: number
  name: string
  description: string
  scope: VisibilityScope
  isActive: boolean
  points: KeptPoint[]
  savedBy: { userId: string; fullName: string }
  savedAt: Date
}

export async function findVersion(db: Db, routeId: string, version: number): Promise<VersionRow | undefined> {
  const row = await db
    .selectFrom('routeVersions as v')
    .innerJoin('users as u', 'u.id', 'v.savedBy')
    .select(['v.version', 'v.name', 'v.description', 'v.scope', 'v.isActive', 'v.points', 'v.savedAt'])
    .select(['u.id as savedById', 'u.fullName as savedByName'])
    .where('v.routeId', '=', routeId)
    .where('v.version', '=', version)
    .executeTakeFirst()
  if (!row) return undefined
  const { savedById, savedByName, points, ...same } = row
  // Versions saved before conditions, terms and escalations existed do not have these.
  const known = points.map((point) => ({
    ...point,
    condition: (point.condition ?? null) as Condition | null,
    termDays: point.termDays ?? null,
    escalation: point.escalation ?? null,
  }))
  return { ...same, points: known, savedBy: { userId: savedById, fullName: savedByName } }
}

export async function findRolesIn(
  db: Db,
  userId: string,
  organizationIds: string[],
): Promise<Map<string, number>> {
  if (organizationIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('memberships')
    .select(['organizationId', 'roles'])
    .where('userId', '=', userId)
    .where('organizationId', 'in', organizationIds)
    .execute()
  return new Map(rows.map(({ organizationId, roles }) => [organizationId, roles]))
}

/** Locks the points against changes and deletion; returns the groups of those that have one. */
export async function lockPoints(tx: Tx, pointIds: readonly string[]): Promise<string[]> {
  if (pointIds.length === 0) return []
  const rows = await tx
    .selectFrom('points')
    .select('groupId')
    .where('id', 'in', pointIds)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.flatMap(({ groupId }) => groupId ?? [])
}
