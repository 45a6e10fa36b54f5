/** Acknowledgement campaigns: who was asked, and what became of it. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { AudienceMember } from '@kelisim/domain/campaigns/audience.ts'
import type { campaignKeys } from '@kelisim/domain/campaigns/contract.ts'
import { containing } from '../lists/containing.ts'
import type { ListOf, Page } from '../lists/page.ts'
import { isOverNewest } from '../requests/core/queries/signatures.ts'

/** All members of the organisation with their groups, locked: nobody leaves before the transaction ends. */
export async function lockAudience(tx: Tx, organizationId: string): Promise<AudienceMember[]> {
  await tx
    .selectFrom('memberships')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .orderBy('userId')
    .forKeyShare()
    .execute()
  const { rows } = await sql<AudienceMember>`
    select m.user_id, u.full_name, coalesce((
      select jsonb_agg(jsonb_build_object('id', g.id, 'name', g.name) order by g.name, g.id)
      from group_participants p join groups g on g.id = p.group_id
      where p.organization_id = m.organization_id and p.user_id = m.user_id and not g.is_audience), '[]') as groups
    from memberships m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} order by u.full_name, m.user_id`.execute(tx)
  return rows
}

/** Adds the group that the request asks, which no list of groups shows. */
export async function addAudienceGroup(
  tx: Tx,
  group: { id: string; organizationId: string; name: string; createdAt: Date },
  userIds: readonly string[],
): Promise<void> {
  await tx
    .insertInto('groups')
    .values({ ...group, isAudience: true })
    .execute()
  const { id: groupId, organizationId } = group
  await tx
    .insertInto('groupParticipants')
    .values(userIds.map((userId) => ({ organizationId, groupId, userId })))
    .execute()
}

export async function addCampaignRows(
  tx: Tx,
  campaign: { requestId: string; organizationId: string; createdAt: Date },
  people: readonly AudienceMember[],
): Promise<void> {
  await tx.insertInto('campaigns').values(campaign).execute()
  await tx
    .insertInto('campaignPeople')
    .values(
      people.map(({ userId, fullName, groups }) => ({
        requestId: campaign.requestId,
        userId,
        fullName,
        groupNames: groups.map(({ name }) => name),
      })),
    )
    .execute()
}

/**
 * Each person of the campaigns `c` with their state: a person who acted at the only point of the request has
 * confirmed, and a person who is no longer in its group has left the organisation.
 */
const states = sql`
  select cp.*, case when cp.user_id = any(p.acted) then 'confirmed'
    when exists (select from group_participants gp where gp.group_id = p.group_id and gp.user_id = cp.user_id) then 'waiting'
    else 'excused' end as state
  from c join campaign_people cp on cp.request_id = c.request_id
  join request_points p on p.request_id = c.request_id and p.attempt = 0`

type Counts = { total: number; confirmed: number; waiting: number; excused: number }

export type CampaignRow = {
  requestId: string
  name: string
  status: number
  createdAt: Date
  counts: Counts
}

export async function findCampaigns(
  db: Db,
  organizationId: string,
  { skip, take }: Page,
): Promise<ListOf<CampaignRow>> {
  const { rows } = await sql<CampaignRow>`
    with c as (
      select request_id, created_at from campaigns where organization_id = ${organizationId}
      order by created_at desc, request_id desc offset ${skip} limit ${take}),
    counted as (select request_id, ${counted} as counts from (${states}) s group by request_id)
    select c.request_id, r.name, r.status, c.created_at, n.counts
    from c join signing_requests r on r.id = c.request_id join counted n on n.request_id = c.request_id
    order by c.created_at desc, c.request_id desc`.execute(db)
  const { count } = await db
    .selectFrom('campaigns')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return { items: rows, totalCount: count }
}

const counted = sql`jsonb_build_object('total', count(*),
  'confirmed', count(*) filter (where state = 'confirmed'),
  'waiting', count(*) filter (where state = 'waiting'),
  'excused', count(*) filter (where state = 'excused'))`

export type CampaignDetails = CampaignRow & {
  author: string
  fileName: string
  dueOn: string | null
  signedWith: (typeof campaignKeys)[number] | null
  groups: { name: string; total: number; confirmed: number }[]
}

export async function findCampaign(
  db: Db,
  organizationId: string,
  requestId: string,
): Promise<CampaignDetails | undefined> {
  const { rows } = await sql<CampaignDetails>`
    with c as (
      select request_id, created_at from campaigns
      where organization_id = ${organizationId} and request_id = ${requestId}),
    s as (${states}),
    g as (
      select name, count(*) as total, count(*) filter (where state = 'confirmed') as confirmed
      from s cross join unnest(s.group_names) name group by name)
    select c.request_id, r.name, r.status, c.created_at, u.full_name as author, r.file_name, p.due_on,
      case when p.is_eds_required then p.key_holder end as signed_with,
      (select ${counted} from s) as counts,
      coalesce((select jsonb_agg(jsonb_build_object('name', name, 'total', total, 'confirmed', confirmed) order by name)
        from g), '[]') as groups
    from c join signing_requests r on r.id = c.request_id join users u on u.id = r.author_id
    join request_points p on p.request_id = c.request_id and p.attempt = 0`.execute(db)
  return rows[0]
}

export type PersonRow = {
  userId: string
  fullName: string
  groups: string[]
  state: 'waiting' | 'confirmed' | 'excused'
  at: Date | null
  comment: string
  certificate: { fullName: string; serialNumber: string } | null
}

/** The page and its count are two statements, however many people there are. */
export async function findPeople(
  db: Db,
  requestId: string,
  {
    skip,
    take,
    name = '',
    only,
  }: Page & { name?: string | undefined; only?: PersonRow['state'] | undefined },
): Promise<ListOf<PersonRow>> {
  const pattern = containing(name)
  const wanted = sql`
    with c as (select request_id from campaigns where request_id = ${requestId}),
    s as (
      select * from (${states}) s
      where (${only ?? null}::text is null or state = ${only ?? null}::text)
        and (${name} = '' or lower(full_name) like lower(${pattern})))`
  const { rows } = await sql<PersonRow>`${wanted},
    answers as (
      select (actor ->> 'id')::uuid as person, at, comment, null::jsonb as certificate
      from request_events where request_id = ${requestId} and type = 'confirmed'
      union all
      select actor_id, received_at, comment,
        jsonb_build_object('fullName', owner -> 'fullName', 'serialNumber', owner -> 'serialNumber')
      from request_signatures where request_id = ${requestId} and attempt = 0 and state = 'accepted' and ${isOverNewest()}),
    acts as (select distinct on (person) * from answers order by person, at desc)
    select s.user_id, s.full_name, s.group_names as groups, s.state, a.at, coalesce(a.comment, '') as comment, a.certificate
    from s left join acts a on a.person = s.user_id and s.state = 'confirmed'
    order by s.full_name, s.user_id offset ${skip} limit ${take}`.execute(db)
  const counted = await sql<{ count: number }>`${wanted} select count(*) from s`.execute(db)
  return { items: rows, totalCount: counted.rows[0]!.count }
}
