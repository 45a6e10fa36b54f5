/** Groups behind the points of requests. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import {
  askedPointStatuses,
  awaitedPointStatuses,
  awaitingStatuses,
  pointStatuses,
  pointStatusNumbers,
  statusNumbers,
  terminatingStatuses,
} from '@kelisim/domain/requests/status.ts'

export async function findOwnersByOrganization(db: Db, organizationIds: readonly string[]) {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .select(['m.organizationId', 'u.id', 'u.fullName'])
    .where('m.organizationId', 'in', organizationIds)
    .where(sql<boolean>`m.roles & ${roles.of('Owner')} <> 0`)
    .orderBy('u.fullName')
    .orderBy('u.id')
    .execute()
  const owners = rows.map(({ organizationId, ...owner }) => ({ organizationId, owner }))
  const byOrganization = Map.groupBy(owners, ({ organizationId }) => organizationId)
  return new Map([...byOrganization].map(([id, all]) => [id, all.map(({ owner }) => owner)]))
}

/** The points of the group, then the group itself: sending locks them in the same order. */
export async function lockGroupWithPoints(tx: Tx, groupId: string): Promise<void> {
  await tx
    .selectFrom('points')
    .select('id')
    .where('groupId', '=', groupId)
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx.selectFrom('groups').select('id').where('id', '=', groupId).forUpdate().execute()
}

type AwaitingRequest = { id: string; status: number; name: string | null; count: number }

/**
 * Requests in which somebody of the group is asked or will be, and how many there are. The name is null for a request of
 * another organisation whose turn has not come: this organisation must not know of it yet.
 */
export async function findRequestsAwaitingGroup(
  db: Db,
  { organizationId, groupId, limit }: { organizationId: string; groupId: string; limit: number },
): Promise<AwaitingRequest[]> {
  const isOurs = sql`r.organization_id = ${organizationId}`
  const { rows } = await sql<AwaitingRequest>`
    select r.id, r.status, case when ${isOurs} or bool_or(p.status <> ${pointStatuses.InQueue}) then r.name end as name,
      (count(*) over ())::int as count
    from request_points p join signing_requests r on r.id = p.request_id
    where p.group_id = ${groupId} and p.status in (${sql.join(pointStatusNumbers(awaitedPointStatuses))})
      and r.status in (${sql.join(statusNumbers(awaitingStatuses))})
      and (p.attempt = 0
        or (p.attempt = r.attempt and r.status in (${sql.join(statusNumbers(terminatingStatuses))})))
    group by r.id order by r.created_at limit ${limit}`.execute(db)
  return rows
}

export type GroupEffects = {
  totalCount: number
  items: { requestId: string; name: string | null; effect: 'step-done' | 'nobody-left' }[]
  /** Every effect in one text, to be compared with the effects at another moment. */
  all: string
}

/**
 * Requests whose step would be completed, or would wait for nobody, if these were the participants of the groups: the
 * same as what `settle` does then (domain/requests/life-cycle/). A request that still waits for the rest of a group
 * is left out.
 */
export async function findGroupEffects(
  db: Db,
  organizationId: string,
  changes: readonly { groupId: string; participants: readonly string[] }[],
  { skip, take }: { skip: number; take: number },
): Promise<GroupEffects> {
  if (changes.length === 0) return { items: [], totalCount: 0, all: '' }
  const after = sql.join(
    changes.map(({ groupId, participants }) => sql`(${groupId}::uuid, ${[...participants]}::uuid[])`),
  )
  const isSettled = sql`((p.condition = 'all' or p.quorum is not null) and p.acted <> '{}' and p.acted @> c.staying
    and p.status in (${sql.join(pointStatusNumbers(askedPointStatuses))}))`
  const isOurs = sql`r.organization_id = ${organizationId}`
  const found = sql`
    select r.id, r.created_at,
      case when ${isOurs} or bool_or(p.status <> ${pointStatuses.InQueue}) then r.name end as name,
      case when bool_or(${isSettled}) then 'step-done' else 'nobody-left' end as effect
    from (values ${after}) c(group_id, staying)
      join request_points p on p.group_id = c.group_id
      join signing_requests r on r.id = p.request_id
    where p.status in (${sql.join(pointStatusNumbers(awaitedPointStatuses))})
      and r.status in (${sql.join(statusNumbers(awaitingStatuses))})
      and (p.attempt = 0
        or (p.attempt = r.attempt and r.status in (${sql.join(statusNumbers(terminatingStatuses))})))
      and (${isSettled} or c.staying = '{}')
    group by r.id`
  const [{ rows: items }, { rows: counted }] = await Promise.all([
    sql<GroupEffects['items'][number]>`
      select id as request_id, name, effect from (${found}) found
      order by created_at desc, id desc offset ${skip} limit ${take}`.execute(db),
    sql<{ count: number; all: string }>`
      select count(*)::int as count, coalesce(string_agg(id || effect, ',' order by id), '') as all
      from (${found}) found`.execute(db),
  ])
  return { items, totalCount: counted[0]!.count, all: counted[0]!.all }
}

/** Keeps these groups from being deleted before the transaction ends. */
export async function holdGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  await tx.selectFrom('groups').select('id').where('id', 'in', groupIds).orderBy('id').forKeyShare().execute()
}
