/**
 * A group that is gone would leave a document waiting for nobody. Who sends holds the points first and their groups next;
 * whoever removes a group takes them in the same order, so that each sees what the other did.
 */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  awaitedPointStatuses,
  openStatuses,
  pointStatuses,
  pointStatusNumbers,
  statusNumbers,
  terminatingStatuses,
} from '@kelisim/domain/requests/status.ts'

const mostNamed = 5

/** Refuses while somebody of it is asked, or will be. The caller is an owner of the organisation. */
export async function refuseWhileAwaited(tx: Tx, organizationId: string, groupId: string): Promise<void> {
  await tx
    .selectFrom('points')
    .select('id')
    .where('groupId', '=', groupId)
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx.selectFrom('groups').select('id').where('id', '=', groupId).forUpdate().execute()
  const { rows } = await sql<{ name: string | null; count: number }>`
    select case when r.organization_id = ${organizationId} or bool_or(p.status <> ${pointStatuses.InQueue}) then r.name end as name,
      (count(*) over ())::int as count
    from request_points p join signing_requests r on r.id = p.request_id
    where p.group_id = ${groupId} and p.status in (${sql.join(pointStatusNumbers(awaitedPointStatuses))})
      and r.status in (${sql.join(statusNumbers(['New', ...openStatuses]))})
      and (p.attempt = 0 or (p.attempt = r.attempt and r.status in (${sql.join(statusNumbers(terminatingStatuses))})))
    group by r.id order by r.created_at limit ${mostNamed}`.execute(tx)
  const [first] = rows
  if (!first) return
  // What another organisation sends is not told before its turn has come.
  const names = rows.flatMap(({ name }) => (name === null ? [] : [`«${name}»`]))
  const all = names.length < first.count ? [...names, '…'] : names
  refuse('group-is-awaited', { count: first.count, names: all.join(', ') })
}

/** None of these can be removed before the transaction ends. */
export async function holdGroups(tx: Tx, groupIds: readonly string[]): Promise<void> {
  if (groupIds.length === 0) return
  await tx.selectFrom('groups').select('id').where('id', 'in', groupIds).orderBy('id').forKeyShare().execute()
}
