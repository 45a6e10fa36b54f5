/** The check after the day: what was acknowledged was done exactly once, and nothing waits for ever. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import type { Cluster } from '../cluster/cluster.ts'
import { root } from '../cluster/place.ts'
import { until } from '../cluster/supervised.ts'
import type { Day } from './day.ts'
import type { Journal } from './journal.ts'
import type { TakenMail } from './mail-sink.ts'

export type Verdict = {
  acknowledged: Record<string, number>
  refused: string[]
  lost: string[]
  doubled: string[]
  stuck: string[]
  untold: string[]
  mailsTaken: number
  mailsTwice: string[]
  mailsUncertain: number
  log: string
}

/** Nothing that was acknowledged is lost, done twice, stuck or told to nobody, and the log is whole. */
export function isGoodDay({ lost, doubled, stuck, untold, mailsTwice, log }: Verdict): boolean {
  return [lost, doubled, stuck, untold, mailsTwice].every((of) => of.length === 0) && log === ''
}

const eventOf = { send: 'started', sign: 'signature-taken', approve: 'approved' } as const

export async function checkDay(
  cluster: Cluster,
  day: Day,
  journal: Journal,
  mails: readonly TakenMail[],
): Promise<Verdict> {
  const client = new pg.Client({ connectionString: cluster.env['DATABASE_DIRECT_URL'] })
  await client.connect()
  try {
    const stuck = await leftOver(client, day.deadBefore)
    const acts = journal.acts.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined)
    const events = await eventsOf(client)
    const lost: string[] = []
    const doubled: string[] = []
    for (const act of acts) {
      const what = `${act.name} ${act.id}`
      if (act.name === 'upload') {
        if ((await storedHash(cluster, day, act.id)) !== day.documents.get(act.id)) lost.push(what)
        continue
      }
      const times = events.get(`${act.request} ${eventOf[act.name]}`) ?? 0
      if (times === 0) lost.push(what)
    }
    for (const [what, times] of events) if (times > 1) doubled.push(`${what}: ${times} times`)
    doubled.push(...(await sameNames(client)))
    const counted = Map.groupBy(mails, ({ messageId }) => messageId)
    const { rows: uncertain } = await client.query<{ count: number }>(
      "select count(*)::int as count from mails where state = 'uncertain'",
    )
    return {
      acknowledged: Object.fromEntries(
        [...Map.groupBy(acts, ({ name }) => name)].map(([name, some]) => [name, some.length]),
      ),
      refused: journal.acts
        .filter(({ refusal }) => refusal)
        .map((act) => `${act.name} ${act.request}: ${act.refusal}`),
      lost,
      doubled,
      stuck,
      untold: await untold(client),
      mailsTaken: mails.length,
      mailsTwice: [
        ...[...counted].filter(([, some]) => some.length > 1).map(([id]) => id),
        ...(await toldTwice(client)),
      ],
      mailsUncertain: uncertain[0]!.count,
      log: auditLog(cluster),
    }
  } finally {
    await client.end()
  }
}

/**
 * Waits for unfinished work, then lists what is still unfinished. A signature that a product with a fast clock
 * received waits until the certification centre's answers are as recent as its time (decision 018).
 */
async function leftOver(client: pg.Client, deadBefore: readonly string[]): Promise<string[]> {
  const waiting = async () => {
    const { rows } = await client.query<{ what: string }>(
      `
      select 'signature ' || id as what from request_signatures where state = 'checking'
      union all select 'event ' || request_id from untold_events
      union all select 'log ' || request_id from log_waiting
      union all select 'mail ' || id || ' ' || state from mails where state in ('queued', 'handing-over')
      union all select 'job ' || name || ' ' || id from pgboss.job
        where state in ('active', 'retry') or (name = 'dead-letters' and id <> all($1))
      union all select 'request ' || id from signing_requests r
        where name like 'День %' and exists (
          select from request_points p where p.request_id = r.id and p.attempt = r.attempt and p.done_at is null)`,
      [deadBefore],
    )
    return rows.map(({ what }) => what)
  }
  await until('everything to settle', async () => (await waiting()).length === 0, 900).catch(() => {})
  return waiting()
}

async function eventsOf(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ what: string; times: number }>(`
    select r.id || ' ' || e.type as what, count(*)::int as times
    from signing_requests r join request_events e on e.request_id = r.id
    where r.name like 'День %' and e.type in ('started', 'signature-taken', 'signature-accepted', 'approved') group by 1`)
  return new Map(rows.map(({ what, times }) => [what, times]))
}

/**
 * Lists missing notices: whoever sent a completed request must have been told so, and each notice that goes by e-mail
 * at once must have its e-mail. A turn that passed before anybody could be told of it needs no notice.
 */
async function untold(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(`
    with day as (select id, author_id from signing_requests where name like 'День %')
    select 'completed ' || day.id as what
    from day join request_events e on e.request_id = day.id and e.type = 'completed'
    where not exists (
      select from notices n where n.request_id = day.id and n.occasion = 'e' || e.number and n.user_id = day.author_id)
    union all
    select 'e-mail of ' || n.kind || ' ' || n.request_id
    from day join notices n on n.request_id = day.id
    where n.mode = 'at-once' and n.email is not null and n.mail_id is null`)
  return rows.map(({ what }) => what)
}

/** Lists people with more than one notice of the same thing, or more than one e-mail of a notice. */
async function toldTwice(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ what: string }>(`
    select 'notice ' || n.occasion || ' ' || n.request_id as what
    from notices n join signing_requests r on r.id = n.request_id and r.name like 'День %'
    group by n.request_id, n.occasion, n.kind, n.recipient having count(*) > 1
    union all
    select 'e-mails of ' || m.recipient || ': ' || m.subject
    from mails m left join notices n on n.mail_id = m.id where m.subject like '%День %' and n.id is null`)
  return rows.map(({ what }) => what)
}

async function sameNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select name from signing_requests where name like 'День %' group by name having count(*) > 1",
  )
  return rows.map(({ name }) => name)
}

async function storedHash({ url }: Cluster, day: Day, documentId: string): Promise<string> {
  const response = await fetch(`${url}/api/Documents/${day.organizationId}/${documentId}/content`, {
    headers: { cookie: day.cookie },
  })
  if (!response.ok) return String(response.status)
  return createHash('sha256')
    .update(await response.bytes())
    .digest('hex')
}

/** The output of the log's auditor; empty: it found no fault. */
function auditLog({ env }: Cluster): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'scripts', 'ops', 'ops.ts'), 'audit-log'],
    { env, encoding: 'utf8' },
  )
  return status === 0 ? '' : `${stdout}${stderr}`
}
