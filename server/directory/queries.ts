/** SQL of the directory: people (members, and those it has reported) and groups, as SCIM shows them. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { DirectoryPerson } from '@kelisim/domain/directory/people.ts'
import type { Comparison } from '@kelisim/domain/directory/filter.ts'

export type PersonRow = Omit<DirectoryPerson, 'isActive' | 'email'> & {
  /** The id of the directory's own row, or else of the member. */
  id: string
  /** Null: not a member now. */
  memberId: string | null
  /** The open invitation of somebody who is not a member. */
  invitationId: string | null
  isInvitationOver: boolean
  email: string
  /** Whether the directory has reported this person. */
  isKnown: boolean
  groups: { value: string; display: string }[]
  createdAt: Date
  changedAt: Date
}

export type Window = { skip: number; take: number }

/**
 * A member with the confirmed address that the directory reported is that person from then on, even if either side
 * changes the address later.
 */
export async function linkJoined(tx: Tx, organizationId: string): Promise<void> {
  await sql`
    update directory_people p set user_id = u.id
    from memberships m join users u on u.id = m.user_id
    where p.organization_id = ${organizationId} and m.organization_id = p.organization_id
      and u.email = p.email and u.is_email_confirmed and p.user_id is distinct from u.id
      and not exists (select from memberships own
        where own.organization_id = p.organization_id and own.user_id = p.user_id)
      and not exists (select from directory_people other
        where other.organization_id = p.organization_id and other.user_id = u.id)`.execute(tx)
}

const people = (organizationId: string, now: Date) => sql`
  select coalesce(p.id, m.user_id) as id, m.user_id as member_id, null::uuid as invitation_id, false as is_invitation_over,
    p.external_id, coalesce(p.user_name, nullif(u.email, ''), u.login) as user_name, coalesce(p.email, u.email) as email,
    p.given_name, p.family_name, coalesce(p.display_name, u.full_name) as display_name, p.id is not null as is_known,
    coalesce(p.created_at, m.joined_at) as created_at, coalesce(p.changed_at, m.joined_at) as changed_at
  from memberships m join users u on u.id = m.user_id
    left join directory_people p on p.organization_id = m.organization_id and p.user_id = m.user_id
  where m.organization_id = ${organizationId}
  union all
  select p.id, null, i.id, coalesce(i.expires_at <= ${now}, false), p.external_id, p.user_name, p.email, p.given_name,
    p.family_name, p.display_name, true, p.created_at, p.changed_at
  from directory_people p
    left join invitations i on i.organization_id = p.organization_id and i.email = p.email
      and i.accepted_at is null and i.withdrawn_at is null
  where p.organization_id = ${organizationId} and not exists (
    select from memberships m where m.organization_id = p.organization_id and m.user_id = p.user_id)`

/** The groups of a person: those a member is in, and those that the invitation of an invited person leads to. */
const groupsOf = sql`coalesce((
  select jsonb_agg(jsonb_build_object('value', g.id, 'display', g.name) order by g.name, g.id)
  from groups g where not g.is_audience and g.id in (
    select gp.group_id from group_participants gp
      where gp.organization_id = g.organization_id and gp.user_id = x.member_id
    union all select ig.group_id from invitation_groups ig where ig.invitation_id = x.invitation_id)), '[]')`

export async function findPeople(
  db: Db,
  organizationId: string,
  condition: RawBuilder<unknown>,
  { skip, take }: Window,
  now: Date,
): Promise<{ rows: PersonRow[]; total: number }> {
  const { rows } = await sql<PersonRow>`
    select x.*, ${groupsOf} as groups from (${people(organizationId, now)}) x where ${condition}
    order by x.created_at, x.id offset ${skip} limit ${take}`.execute(db)
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (${people(organizationId, now)}) x where ${condition}`.execute(db)
  return { rows, total: counted.rows[0]!.count }
}

export async function findPersonRow(
  db: Db,
  organizationId: string,
  id: string,
  now: Date,
): Promise<PersonRow | undefined> {
  const { rows } = await findPeople(db, organizationId, sql`x.id = ${id}::uuid`, { skip: 0, take: 1 }, now)
  return rows[0]
}

export async function findPeopleAmong(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  now: Date,
): Promise<PersonRow[]> {
  const window = { skip: 0, take: ids.length }
  const condition = sql`x.id::text = any(${[...ids]}::text[])`
  return (await findPeople(db, organizationId, condition, window, now)).rows
}

/** A member with this address whom the directory has not reported yet. */
export async function findMemberToTakeOver(
  db: Db,
  organizationId: string,
  email: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ userId: string }>`
    select m.user_id from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and u.email = ${email} and u.is_email_confirmed
      and not exists (select from directory_people p
        where p.organization_id = m.organization_id and p.user_id = m.user_id)
    order by m.user_id limit 1`.execute(db)
  return rows[0]?.userId
}

export type SavedPerson = Omit<DirectoryPerson, 'isActive' | 'email'> & {
  id: string
  organizationId: string
  userId: string | null
  email: string
}

export async function savePerson(tx: Tx, person: SavedPerson, now: Date): Promise<void> {
  const { id, organizationId, userId, ...told } = person
  await tx
    .insertInto('directoryPeople')
    .values({ id, organizationId, userId, ...told, createdAt: now, changedAt: now })
    .onConflict((conflict) =>
      conflict.columns(['organizationId', 'id']).doUpdateSet({ ...told, changedAt: now }),
    )
    .execute()
}

export async function isTaken(
  db: Db,
  { id, organizationId, userName, email, externalId }: SavedPerson,
): Promise<boolean> {
  const { rows } = await sql`
    select from directory_people p where p.organization_id = ${organizationId} and p.id <> ${id}
      and (lower(p.user_name) = lower(${userName}) or p.email = ${email} or p.external_id = ${externalId})
    limit 1`.execute(db)
  return rows.length > 0
}

export async function deletePerson(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('directoryPeople')
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
    .execute()
}

/** Null: the filter has an attribute by which people cannot be found. */
export function conditionOnPeople(filter: readonly Comparison[]): RawBuilder<unknown> | null {
  return allOf(filter, ({ attribute, value }) => {
    switch (attribute) {
      case 'id':
        return sql`x.id::text = lower(${value})`
      case 'username':
        return sql`lower(x.user_name) = lower(${value})`
      case 'externalid':
        return sql`x.external_id = ${value}`
      case 'displayname':
        return sql`lower(x.display_name) = lower(${value})`
      case 'emails':
      case 'emails.value':
        return sql`x.email = lower(${value})`
      case 'active':
        return sql`(x.member_id is not null or x.invitation_id is not null)::text = lower(${value})`
      default:
        return null
    }
  })
}

export type DirectoryGroupRow = {
  id: string
  name: string
  externalId: string | null
  currentVersion: number
  createdAt: Date
  members: { value: string; display: string }[]
}

/** The participants of the group `g`, and invited people who join it when they accept. */
const membersIn = sql`
  select coalesce(p.id, gp.user_id) as id, coalesce(p.display_name, u.full_name) as name
  from group_participants gp join users u on u.id = gp.user_id
    left join directory_people p on p.organization_id = gp.organization_id and p.user_id = gp.user_id
  where gp.group_id = g.id
  union all
  select p.id, coalesce(p.display_name, p.user_name)
  from invitation_groups ig
    join invitations i on i.id = ig.invitation_id and i.accepted_at is null and i.withdrawn_at is null
    join directory_people p on p.organization_id = i.organization_id and p.email = i.email
  where ig.group_id = g.id and not exists (
    select from memberships m where m.organization_id = p.organization_id and m.user_id = p.user_id)`

export async function findDirectoryGroups(
  db: Db,
  organizationId: string,
  condition: RawBuilder<unknown>,
  { skip, take }: Window,
): Promise<{ rows: DirectoryGroupRow[]; total: number }> {
  const found = sql`
    groups g left join directory_groups d on d.group_id = g.id
    where g.organization_id = ${organizationId} and not g.is_audience and ${condition}`
  const { rows } = await sql<DirectoryGroupRow>`
    select g.id, g.name, d.external_id, g.version as current_version, g.created_at, coalesce((
      select jsonb_agg(jsonb_build_object('value', x.id, 'display', x.name) order by x.name, x.id)
      from (${membersIn}) x), '[]') as members
    from ${found} order by g.created_at, g.id offset ${skip} limit ${take}`.execute(db)
  const counted = await sql<{ count: number }>`select count(*)::int as count from ${found}`.execute(db)
  return { rows, total: counted.rows[0]!.count }
}

export async function findDirectoryGroup(
  db: Db,
  organizationId: string,
  id: string,
): Promise<DirectoryGroupRow | undefined> {
  const window = { skip: 0, take: 1 }
  const { rows } = await findDirectoryGroups(db, organizationId, sql`g.id = ${id}::uuid`, window)
  return rows[0]
}

export function conditionOnGroups(filter: readonly Comparison[]): RawBuilder<unknown> | null {
  return allOf(filter, ({ attribute, value }) => {
    switch (attribute) {
      case 'id':
        return sql`g.id::text = lower(${value})`
      case 'displayname':
        return sql`lower(g.name) = lower(${value})`
      case 'externalid':
        return sql`d.external_id = ${value}`
      case 'members':
      case 'members.value':
        return sql`exists (select from (${membersIn}) x where x.id::text = lower(${value}))`
      default:
        return null
    }
  })
}

export async function saveExternalId(tx: Tx, groupId: string, externalId: string | null): Promise<void> {
  await tx.deleteFrom('directoryGroups').where('groupId', '=', groupId).execute()
  if (externalId === null) return
  await tx.insertInto('directoryGroups').values({ groupId, externalId }).execute()
}

/** Sets which invitations lead to the group; those in neither list stay as they are. */
export async function setInvitedTo(
  tx: Tx,
  groupId: string,
  { wanted, leaving }: { wanted: readonly string[]; leaving: readonly string[] },
): Promise<void> {
  await sql`delete from invitation_groups
    where group_id = ${groupId} and invitation_id = any(${[...leaving]}::uuid[])`.execute(tx)
  await sql`insert into invitation_groups (invitation_id, group_id)
    select id, ${groupId} from unnest(${[...wanted]}::uuid[]) as id on conflict do nothing`.execute(tx)
}

function allOf(
  filter: readonly Comparison[],
  conditionOf: (one: Comparison) => RawBuilder<unknown> | null,
): RawBuilder<unknown> | null {
  let whole: RawBuilder<unknown> = sql`true`
  for (const one of filter) {
    const condition = conditionOf(one)
    if (!condition) return null
    whole = sql`${whole} and ${condition}`
  }
  return whole
}
