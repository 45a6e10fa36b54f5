/**
 * LISTEN, session locks and session settings do not work behind a transaction pooler such as PgBouncer. So the product
 * also needs a direct connection to PostgreSQL, and the pooler has to set the timeouts that the product cannot. Both
 * are checked at start, because they would fail much later and silently.
 */
import pg from 'pg'
import { callTimeouts, type Connection } from './db.ts'

/** Its message is one sentence for the operator. */
export class PoolingError extends Error {}

/** Throws a PoolingError that says what has to be configured differently. */
export async function checkPooling(connection: Connection): Promise<void> {
  const { pooler, max: _, ...direct } = connection
  const itself = await sessionFactsOf(direct)
  if (!itself.isDirect) {
    throw new PoolingError(
      pooler
        ? 'DATABASE_DIRECT_URL leads to a pooler: it must be the address of PostgreSQL itself'
        : 'DATABASE_URL leads to a pooler (PgBouncer or alike): set DATABASE_DIRECT_URL to the address of PostgreSQL itself, ' +
            'because notifications, locks of sessions and migrations cannot pass a pooler',
    )
  }
  if (!pooler) return
  const through = await sessionFactsOf(pooler)
  if (through.place !== itself.place) {
    throw new PoolingError('DATABASE_URL and DATABASE_DIRECT_URL lead to different databases')
  }
  const missing = Object.entries(callTimeouts).filter(([name, most]) => {
    const set = through.timeouts[name]!
    return set === 0 || set > most
  })
  if (missing.length > 0) {
    const query = missing.map(([name, most]) => `set ${name} = ${most}`).join('; ')
    throw new PoolingError(
      `the pooler of DATABASE_URL does not limit its sessions: set connect_query = '${query}' for the database in pgbouncer.ini`,
    )
  }
}

type SessionFacts = { isDirect: boolean; place: string; timeouts: Record<string, number> }

/** PostgreSQL tells a new client its backend process id; a pooler sends an id of its own. */
async function sessionFactsOf(connection: pg.ClientConfig): Promise<SessionFacts> {
  const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...connection })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number; place: string; names: string[]; settings: number[] }>(
      `select pg_backend_pid() as pid,
        concat_ws(' ', pg_postmaster_start_time(), d.oid) as place,
        array(select name from pg_settings where name = any($1) order by name) as names,
        array(select setting::int from pg_settings where name = any($1) order by name) as settings
       from pg_database d where d.datname = current_database()`,
      [Object.keys(callTimeouts)],
    )
    const { pid, place, names, settings } = rows[0]!
    const { processID } = client as unknown as { processID: number }
    return {
      isDirect: processID === pid,
      place,
      timeouts: Object.fromEntries(names.map((name, i) => [name, settings[i]!])),
    }
  } finally {
    await client.end()
  }
}
