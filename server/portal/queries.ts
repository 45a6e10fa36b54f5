/** Queries of the Administrative Portal about the organisation's details, its people and its history. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'
import type { CardFields } from '../identity/core/card-queries.ts'

/** False if somebody else has saved since this version was loaded. */
export async function saveCardFields(
  tx: Tx,
  organizationId: string,
  seen: number,
  fields: CardFields,
): Promise<boolean> {
  const saved = await tx
    .updateTable('organizations')
    .set({ ...fields, version: seen + 1 })
    .where('id', '=', organizationId)
    .where('version', '=', seen)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

export type MemberRow = {
  userId: string
  fullName: string
  login: string
  email: string
  roles: number
  isAppointed: boolean
  joinedAt: Date
  groups: { id: string; name: string }[]
}

export async function findMembers(
  db: Db,
  organizationId: string,
  filter: Page & { name?: string | undefined },
): Promise<ListOf<MemberRow>> {
  const { name = '' } = filter
  const pattern = containing(name)
  const members = db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.userId')
    .where('m.organizationId', '=', organizationId)
    .$if(name !== '', (query) =>
      query.where((eb) =>
        eb.or([
          sql<boolean>`lower(u.full_name) like lower(${pattern})`,
          sql<boolean>`lower(u.login) like lower(${pattern})`,
          sql<boolean>`lower(u.email) like lower(${pattern})`,
        ]),
      ),
    )
  const items = await members
    .select(['m.userId', 'u.fullName', 'u.login', 'u.email', 'm.roles', 'm.isAppointed', 'm.joinedAt'])
    .select(
      sql<MemberRow['groups']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name, g.id)
        from group_participants p join groups g on g.id = p.group_id
        where p.organization_id = m.organization_id and p.user_id = m.user_id and not g.is_audience), '[]')`.as(
        'groups',
      ),
    )
    .orderBy('u.fullName')
    .orderBy('m.userId')
    .offset(filter.skip)
    .limit(filter.take)
    .execute()
  const { count } = await members
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

/** Deleting the membership also deletes the person's groups, options and settings here. */
export async function deleteMembership(tx: Tx, organizationId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('organizationId', '=', organizationId)
    .where('userId', '=', userId)
    .execute()
}

export type EventRow = { id: number; at: Date; by: string; type: string; subject: string }

export async function findEvents(db: Db, organizationId: string, page: Page): Promise<ListOf<EventRow>> {
  const events = db.selectFrom('organizationEvents as e').where('e.organizationId', '=', organizationId)
  const items = await events
    .innerJoin('users as u', 'u.id', 'e.by')
    .select(['e.id', 'e.at', 'u.fullName as by', 'e.type', 'e.subject'])
    .orderBy('e.id', 'desc')
    .offset(page.skip)
    .limit(page.take)
    .execute()
  const { count } = await events
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}
