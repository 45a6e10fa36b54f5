/** How long steps of requests took, grouped by act, group, counterparty or month. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { WaitKey } from '@kelisim/domain/insight/contract.ts'
import { actOf, pointTypes, sideOf, type PointAct } from '@kelisim/domain/points/point-types.ts'
import {
  currentPointStatuses,
  openStatuses,
  pointStatusNumbers,
  statusNumbers,
} from '@kelisim/domain/requests/status.ts'
import type { ListOf, Page } from '../lists/page.ts'

export type WaitRow = {
  name: string
  bin: string | null
  answered: number
  medianHours: number | null
  slowHours: number | null
  waiting: number
  waitingSince: Date | null
}

export type WaitQuestion = {
  organizationId: string
  /** Null: the requests of everybody. */
  authorId: string | null
  by: WaitKey
  since: Date
}

const numbersOf = (act: PointAct) =>
  pointTypes.names.filter((type) => actOf(type) === act).map((type) => pointTypes.of(type))
const internal = pointTypes.names
  .filter((type) => sideOf(type) === 'internal')
  .map((type) => pointTypes.of(type))
const acts = ['sign', 'approve', 'confirm'] as const

const actName = sql<string>`case ${sql.join(
  acts.map((act) => sql`when p.type in (${sql.join(numbersOf(act))}) then ${act}::text`),
  sql` `,
)} end`
const isInternal = sql<boolean>`p.type in (${sql.join(internal)})`

/** What the steps are grouped by, and which steps take part. A deleted group is shown by the name of its step. */
const keys: Record<WaitKey, { name: RawBuilder<string>; has: RawBuilder<boolean> }> = {
  act: { name: actName, has: sql`true` },
  group: { name: sql`coalesce(g.name, p.name)`, has: isInternal },
  counterparty: { name: sql`p.organization_name`, has: sql`not ${isInternal}` },
  month: { name: sql`to_char(p.turn_came_at at time zone 'Asia/Almaty', 'YYYY-MM')`, has: sql`true` },
}

/** The slowest first; months in their order. */
export async function findWaits(
  db: Db,
  { organizationId, authorId, by, since }: WaitQuestion,
  { skip, take }: Page,
): Promise<ListOf<WaitRow>> {
  const { name, has } = keys[by]
  const isByNumber = by === 'counterparty'
  const { rows } = await sql<WaitRow & { totalCount: number }>`
    with steps as (
      select ${name} as name, p.bin, p.turn_came_at as came, p.done_at is not null as is_answered,
        extract(epoch from p.done_at - p.turn_came_at) / 3600 as hours,
        p.done_at is null and p.status in (${sql.join(pointStatusNumbers(currentPointStatuses))})
          and r.status in (${sql.join(statusNumbers(openStatuses))}) as is_waiting
      from signing_requests r
        join request_points p on p.request_id = r.id and p.attempt = 0
        left join groups g on g.id = p.group_id
      where r.organization_id = ${organizationId} and r.created_at >= ${since}
        ${authorId === null ? sql`` : sql`and r.author_id = ${authorId}`}
        and p.turn_came_at is not null
        -- Campaigns have a page of their own.
        and g.is_audience is not true
        and p.type in (${sql.join(acts.flatMap(numbersOf))})
        and ${has})
    select ${isByNumber ? sql`max(name) as name, bin` : sql`name, null::text as bin`},
      (count(*) filter (where is_answered))::int as answered,
      (percentile_cont(0.5) within group (order by hours))::float8 as median_hours,
      (percentile_cont(0.9) within group (order by hours))::float8 as slow_hours,
      (count(*) filter (where is_waiting))::int as waiting,
      min(came) filter (where is_waiting) as waiting_since,
      (count(*) over ())::int as total_count
    from steps
    where is_answered or is_waiting
    group by ${isByNumber ? sql`bin` : sql`name`}
    order by ${by === 'month' ? sql`name` : sql`median_hours desc nulls first, 1`}
    offset ${skip} limit ${take}`.execute(db)
  return {
    items: rows.map(({ totalCount: _, ...row }) => row),
    totalCount: rows[0]?.totalCount ?? 0,
  }
}
