/** The state of the queue for the operator, from its tables: the library updates its own counts only now and then. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { deadLetters } from './queue.ts'

export type QueueCounts = {
  name: string
  ready: number
  waiting: number
  active: number
  dead: number
  oldestSeconds: number | null
}

/** Counts the jobs of each kind, without chores. */
export async function countQueues(db: Db): Promise<QueueCounts[]> {
  const { rows } = await sql<QueueCounts>`
    with alive as (
      select name,
        count(*) filter (where state < 'active' and start_after <= now())::int as ready,
        count(*) filter (where state < 'active' and start_after > now())::int as waiting,
        count(*) filter (where state = 'active')::int as active,
        extract(epoch from now() - min(created_on) filter (where state < 'active'))::float8 as oldest
      from pgboss.job where state < 'completed' group by name),
    dead as (
      select source_name as name, count(*)::int as dead from pgboss.job where name = ${deadLetters} group by 1)
    select q.name, coalesce(a.ready, 0) as ready, coalesce(a.waiting, 0) as waiting,
      coalesce(a.active, 0) as active, coalesce(d.dead, 0) as dead, a.oldest as oldest_seconds
    from pgboss.queue q left join alive a using (name) left join dead d using (name)
    where q.name <> ${deadLetters} and q.name not like '\\_\\_%'
      and q.name not in (select name from pgboss.schedule)
    order by q.name`.execute(db)
  return rows
}

export type Chore = {
  name: string
  cron: string
  timeZone: string
  lastAt: Date | null
  lastOutcome: 'waiting' | 'running' | 'done' | 'failed' | null
  lastReason: string | null
}

export async function findChores(db: Db): Promise<Chore[]> {
  const { rows } = await sql<Chore>`
    select s.name, s.cron, s.timezone as time_zone,
      coalesce(last.completed_on, last.started_on, last.created_on) as last_at,
      case last.state when 'created' then 'waiting' when 'retry' then 'waiting' when 'active' then 'running'
        when 'completed' then 'done' when 'failed' then 'failed' end as last_outcome,
      case when last.state in ('retry', 'failed') then left(last.output->>'message', 500) end as last_reason
    from pgboss.schedule s
    left join lateral (
      select * from pgboss.job j where j.name = s.name order by j.created_on desc limit 1) last on true
    order by s.name`.execute(db)
  return rows
}

export type DeadJob = {
  id: string
  name: string
  data: object
  reason: string
  tries: number
  queuedAt: Date | null
  diedAt: Date
}

/** Selects dead letters; all of them when empty. */
type DeadLetterSelection = { ids?: readonly string[] | undefined; name?: string | undefined }

export async function findDead(
  db: Db,
  { ids, name }: DeadLetterSelection,
  { skip, take }: { skip: number; take: number },
): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select id, source_name as name, coalesce(data, '{}') as data,
      left(coalesce(source_output->>'message', source_output::text, ''), 500) as reason,
      coalesce(source_retry_count, 0) + 1 as tries, source_created_on as queued_at, created_on as died_at
    from pgboss.job
    where name = ${deadLetters}
      and (${ids ?? null}::uuid[] is null or id = any (${ids ?? null}::uuid[]))
      and (${name ?? null}::text is null or source_name = ${name ?? null})
    order by created_on desc, id desc offset ${skip} limit ${take}`.execute(db)
  return rows
}

export async function countDead(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job where name = ${deadLetters}`.execute(db)
  return rows[0]!.count
}
