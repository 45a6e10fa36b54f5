/** Queries about groups and their members. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'

export type GroupRow = {
  id: string
  name: string
  createdAt: Date
  currentVersion: number
  participants: { userId: string; fullName: string }[]
}

export async function findGroups(
  db: Db,
  organizationId: string,
  filter: Page & { name?: string | undefined; participant?: string },
): Promise<ListOf<GroupRow>> {
  const { name = '', participant } = filter
  const groups = db
    .selectFrom('groups as g')
    .where('g.organizationId', '=', organizationId)
    .where('g.isAudience', '=', false)
    .$if(name !== '', (query) => query.where(sql<boolean>`lower(g.name) like lower(${containing(name)})`))
    .$if(participant !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (
          select from group_participants p where p.group_id = g.id and p.user_id = ${participant})`,
      ),
    )
  const items = await groups
    .select(['g.id', 'g.name', 'g.createdAt', 'g.version as currentVersion', participants])
    .orderBy('g.name')
    .orderBy('g.id')
    .offset(filter.skip)
    .limit(filter.take)
    .execute()
  const { count } = await groups
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { items, totalCount: count }
}

export function findGroup(db: Db, organizationId: string, groupId: string): Promise<GroupRow | undefined> {
  return db
    .selectFrom('groups as g')
    .select(['g.id', 'g.name', 'g.createdAt', 'g.version as currentVersion', participants])
    .where('g.organizationId', '=', organizationId)
    .where('g.isAudience', '=', false)
    .where('g.id', '=', groupId)
    .executeTakeFirst()
}

/** A group with nobody but this person. */
export async function findGroupOfOne(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ groupId: string }>`
    select p.group_id from group_participants p join groups g on g.id = p.group_id
    where p.organization_id = ${organizationId} and not g.is_audience
    group by p.group_id having array_agg(p.user_id) = array[${userId}]::uuid[]
    order by p.group_id limit 1`.execute(db)
  return rows[0]?.groupId
}

export function findGroupNames(db: Db, organizationId: string): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('groups')
    .select(['id', 'name'])
    .where('organizationId', '=', organizationId)
    .where('isAudience', '=', false)
    .orderBy('name')
    .execute()
}

/** The groups of a person, each with its other participants. */
export async function findGroupsWithout(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<{ groupId: string; participants: string[] }[]> {
  const { rows } = await sql<{ groupId: string; participants: string[] }>`
    select mine.group_id, coalesce(array_agg(p.user_id order by p.user_id) filter (where p.user_id <> ${userId}), '{}')
      as participants
    from group_participants mine join group_participants p on p.group_id = mine.group_id
    where mine.organization_id = ${organizationId} and mine.user_id = ${userId}
    group by mine.group_id order by mine.group_id`.execute(db)
  return rows
}

const participants = sql<GroupRow['participants']>`coalesce((
  select jsonb_agg(jsonb_build_object('userId', u.id, 'fullName', u.full_name) order by u.full_name, u.id)
  from group_participants p join users u on u.id = p.user_id where p.group_id = g.id), '[]')`.as(
  'participants',
)

export async function addGroupRow(
  tx: Tx,
  row: { id: string; organizationId: string; name: string; createdAt: Date },
): Promise<void> {
  await tx.insertInto('groups').values(row).execute()
}

/** False if somebody else has saved the group since this version was loaded. */
export async function renameGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
  seen: number,
  name: string,
): Promise<boolean> {
  const renamed = await tx
    .updateTable('groups')
    .set({ name, version: seen + 1 })
    .where('organizationId', '=', organizationId)
    .where('id', '=', groupId)
    .where('version', '=', seen)
    .returning('id')
    .executeTakeFirst()
  return renamed !== undefined
}

/** The name of the deleted group, or undefined if there was none. */
export async function deleteGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('groups')
    .where('organizationId', '=', organizationId)
    .where('id', '=', groupId)
    .where('isAudience', '=', false)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name
}

/** Those of the given people who belong to the organisation; none of them can leave it before the transaction ends. */
export async function lockMembersAmong(tx: Tx, organizationId: string, userIds: string[]): Promise<string[]> {
  const found = await tx
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', [...userIds, noOne])
    .orderBy('userId')
    .forKeyShare()
    .execute()
  return found.map((row) => row.userId)
}

/** Sets the participants; those who stay keep their row, and so the options that refer to it. */
export async function setParticipants(
  tx: Tx,
  organizationId: string,
  groupId: string,
  userIds: string[],
): Promise<void> {
  await tx
    .deleteFrom('groupParticipants')
    .where('groupId', '=', groupId)
    .where('userId', 'not in', [...userIds, noOne])
    .execute()
  if (userIds.length === 0) return
  await tx
    .insertInto('groupParticipants')
    .values(userIds.map((userId) => ({ organizationId, groupId, userId })))
    .onConflict((conflict) => conflict.columns(['groupId', 'userId']).doNothing())
    .execute()
}

/** Here and in `leaveGroup` the version grows, so that nobody can save an older list of participants. */
export async function joinGroup(
  tx: Tx,
  organizationId: string,
  groupId: string,
  userId: string,
): Promise<void> {
  await sql`
    with joined as (
      insert into group_participants (organization_id, group_id, user_id)
      values (${organizationId}, ${groupId}, ${userId})
      on conflict do nothing returning group_id)
    update groups set version = version + 1 where id in (select group_id from joined)`.execute(tx)
}

export async function leaveGroup(tx: Tx, groupId: string, userId: string): Promise<void> {
  await sql`
    with gone as (
      delete from group_participants where group_id = ${groupId} and user_id = ${userId} returning group_id)
    update groups set version = version + 1 where id in (select group_id from gone)`.execute(tx)
}

/** SQL has no empty list, so an id that matches nobody is used. */
const noOne = '00000000-0000-0000-0000-000000000000'
