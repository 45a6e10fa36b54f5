/** Groups behind the points of requests. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import {
  awaitedPointStatuses,
  openStatuses,
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

/**
 * Requests in which somebody of the group is asked or will be, and how many there are. The name is null for a request of
 * another organisation whose turn has not come: this organisation must not know of it yet.
 */
export async function findRequestsAwaitingGroup(
  db: Db,
  { organizationId, groupId, limit }: { organizationId: string; groupId: string; limit: number },
): Promise<{ name: string | null; count: number }[]> {
  const isOurs = sql`r.organization_id = ${organizationId}`
  const { rows } = await sql<{ name: string | null; count: number }>`
    select case when ${isOurs} or bool_or(p.status <> ${pointStatuses.InQueue}) then r.name end as name,
      (count(*) over ())::int as count
    from request_points p join signing_requests r on r.id = p.request_id
    where p.group_id = ${groupId} and p.status in (${sql.join(pointStatusNumbers(awaitedPointStatuses))})
      and r.status in (${sql.join(statusNumbers(['New', ...openStatuses]))})
      and (p.attempt = 0
        or (p.attempt = r.attempt and r.status in (${sql.join(statusNumbers(terminatingStatuses))})))
    group by r.id order by r.created_at limit ${limit}`.execute(db)
  return rows
}

/** None of these can be deleted before the transaction ends. */
export async function holdGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  await tx.selectFrom('groups').select('id').where('id', 'in', groupIds).orderBy('id').forKeyShare().execute()
}
