/**
 * The two handles to the database. `Db` can only read; anything that writes or locks requires a `Tx`, which only
 * `write()` provides. So a statement cannot leave its transaction by mistake: it would not compile.
 */
import { Kysely, sql, type LogEvent, type Transaction } from 'kysely'
import pg from 'pg'
import { resultNames, SnakeCaseDialect } from './names.ts'
import type { Schema } from './schema.ts'

export type Db = Pick<
  Kysely<Schema>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'fn' | 'dynamic' | 'getExecutor'
>
export type Tx = Transaction<Schema>

export type Database = {
  /** The connections for reading. */
  pool: pg.Pool
  /** The connections for transactions. */
  writers: pg.Pool
  db: Db
  /** Runs the work in one transaction; retries after a deadlock or a serialization failure. */
  write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The same on a connection that is kept for the transparency log, one transaction at a time. */
  append: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Opens a separate connection, for LISTEN; the caller ends it. */
  connect: () => Promise<pg.Client>
  /** The listener is called after each commit that was marked with `markCommit`; returns a function that ends it. */
  onCommit: (listener: () => void) => () => void
  close: () => Promise<void>
}

const marked = new WeakSet<Tx>()

/** Marks a transaction: when it commits, the listeners of `onCommit` are called. */
export function markCommit(tx: Tx): void {
  marked.add(tx)
}

/** How to connect: to the embedded server by its socket, or to any other server by its address. */
export type Connection = ({ host: string; user: string; database: string } | { connectionString: string }) & {
  max?: number
  /** A transaction pooler through which readers and writers connect. */
  pooler?: { connectionString: string }
}

/** bigint counts arrive as strings by default; none of ours exceeds 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
/** A calendar date has no time zone: it stays a text, not a moment. */
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value)

/**
 * Timeouts in milliseconds that the server enforces, so that the locks of a frozen process are released within seconds.
 * Backups, restores and migrations take long by nature and have none.
 */
export const sessionTimeouts = {
  /** Our transactions never wait between two statements, so a session idle for so long belongs to a frozen process. */
  idle_in_transaction_session_timeout: 5_000,
  /** Longer than the above, so that waiting for a lock outlasts the transaction of a frozen process. */
  lock_timeout: 10_000,
}
/** The timeouts for API calls; statements of jobs may take longer. */
export const callTimeouts = { ...sessionTimeouts, statement_timeout: 30_000 }

/** Behind a pooler the next statement may meet another session, in which no statement was prepared. */
class UnpreparedClient extends pg.Client {
  override query(...given: unknown[]): never {
    const [first, ...rest] = given
    const isNamed = typeof first === 'object' && first !== null && 'name' in first
    return super.query(...([isNamed ? { ...first, name: undefined } : first, ...rest] as [never]))
  }
}

/** The most prepared statements of a connection: lists of values of many lengths would otherwise fill its memory. */
const mostPrepared = 500

const byKeyMark = '/* by key */'
/**
 * Appended to a statement (`modifyEnd`) that finds a few rows by their keys: one plan suits all values, so reading
 * connections prepare it too. Other statements of readers are planned each time, because the best plan for a list
 * depends on how selective its filters are.
 */
export const byKey = sql.raw(byKeyMark)

/**
 * An act is dozens of short statements whose planning takes longer than their execution, so each is prepared once per
 * connection, when it is sent for the second time. `planAnew` is called after the tables have changed: all connections
 * then use new statement names.
 */
function preparing(isPrepared: (text: string) => boolean): {
  Client: typeof pg.Client
  planAnew: () => void
} {
  const numbers = new Map<string, number>()
  let round = 0
  const nameOf = (text: string): string | undefined => {
    const known = numbers.get(text)
    if (known !== undefined) return `${round}-${known}`
    if (numbers.size < mostPrepared && isPrepared(text)) numbers.set(text, numbers.size)
    return undefined
  }
  class PreparingClient extends pg.Client {
    override query(...given: unknown[]): never {
      const [text, values, ...rest] = given
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined
      return super.query(...((name === undefined ? given : [{ name, text, values }, ...rest]) as [never]))
    }
  }
  return { Client: PreparingClient, planAnew: () => void round++ }
}

/** A client for reading: outside a transaction, a statement whose plan became invalid can simply be sent again. */
function readingClient(): typeof pg.Client {
  const { Client, planAnew } = preparing((text) => text.endsWith(byKeyMark))
  return class extends Client {
    override query(...given: unknown[]): never {
      const answer: unknown = super.query(...(given as [never]))
      if (!(answer instanceof Promise)) return answer as never
      return answer.catch((error: unknown) => {
        if (!isPlannedForOtherTables(error)) throw error
        planAnew()
        return super.query(...(given as [never]))
      }) as never
    }
  }
}

/**
 * Whether a migration added a column that a prepared `select *` does not know. Recognised by code and routine, because
 * the message is in the language of the server.
 */
function isPlannedForOtherTables(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
  )
}

/** A pooler ignores session settings of its clients and sets its own, which db/pooler.ts checks. */
function pooled({ connectionString }: { connectionString: string }): pg.PoolConfig {
  return { connectionString, Client: UnpreparedClient }
}

/** The most connections that a process opens, besides the one for the transparency log. */
export type PoolSizes = { readers: number; writers: number }

/** A finished statement, without its parameters. */
export type StatementReport = { sql: string; durationMs: number; isFailed: boolean }

/**
 * Readers and writers have separate pools, so that reading never waits for writers that wait for a lock. `max` of the
 * connection applies to each pool, unless `sizes` says otherwise.
 */
export function openDatabase(
  connection: Connection,
  onError: (error: Error) => void,
  sizes: Partial<PoolSizes> = {},
  onStatement?: (statement: StatementReport) => void,
): Database {
  const { max = 10, pooler, ...direct } = connection
  const directly: pg.ClientConfig = { ...callTimeouts, ...direct }
  const open = (max: number, way: pg.PoolConfig) => {
    const pool = new pg.Pool({ connectionTimeoutMillis: 5_000, ...way, max })
    // A broken connection (server restart) must not end the process, neither while idle nor between two statements of a
    // transaction: its user gets the error with the next query.
    pool.on('error', onError)
    pool.on('connect', (client) => client.on('error', onError))
    const log = onStatement && reportTo(onStatement)
    const dialect = new SnakeCaseDialect({ pool })
    return { pool, kysely: new Kysely<Schema>({ dialect, plugins: [resultNames], ...(log && { log }) }) }
  }
  const { readers = max, writers = max } = sizes
  const way = pooler ? pooled(pooler) : directly
  const { Client, planAnew } = preparing(() => true)
  const prepared: pg.PoolConfig = { ...directly, Client }
  const reading = open(readers, pooler ? way : { ...directly, Client: readingClient() })
  const writing = open(writers, pooler ? way : prepared)
  const appending = open(1, prepared)
  const listeners = new Set<() => void>()
  const transaction = async <T>({ kysely }: typeof writing, work: (tx: Tx) => Promise<T>): Promise<T> => {
    const { result, isMarked } = await withRetry(
      () =>
        kysely.transaction().execute(async (tx) => ({ result: await work(tx), isMarked: marked.has(tx) })),
      planAnew,
    )
    if (isMarked) for (const listener of listeners) listener()
    return result
  }
  return {
    pool: reading.pool,
    writers: writing.pool,
    db: reading.kysely,
    write: (work) => transaction(writing, work),
    append: (work) => transaction(appending, work),
    async connect() {
      const client = new pg.Client({ connectionTimeoutMillis: 5_000, ...directly })
      client.on('error', onError)
      await client.connect()
      return client
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      await Promise.all([reading, writing, appending].map(({ kysely }) => kysely.destroy()))
    },
  }
}

function reportTo(report: (statement: StatementReport) => void): (event: LogEvent) => void {
  return ({ level, query, queryDurationMillis }) =>
    report({ sql: query.sql, durationMs: queryDurationMillis, isFailed: level === 'error' })
}

const deadlock = '40P01'
const serializationFailure = '40001'

async function withRetry<T>(work: () => Promise<T>, planAnew: () => void): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      const isStale = isPlannedForOtherTables(error)
      if (isStale) planAnew()
      if (attempt === 3 || (!isStale && code !== deadlock && code !== serializationFailure)) throw error
    }
  }
}

/** Whether the database could not be reached at all, as opposed to having refused a statement. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return (
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/.test(code) ||
    /^(57P0[1-4]|08\w{3}|53300)$/.test(code) ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      error.message,
    )
  )
}

/**
 * Whether the database refused temporarily and wrote nothing: no space or memory, a lock held for too long, a
 * transaction that stood still, or a primary that was replaced and is now read-only. The same call may succeed later.
 */
export function isTemporarilyRefused(error: unknown): boolean {
  return error instanceof pg.DatabaseError && temporary.test(error.code ?? '')
}

/**
 * Class 53 (insufficient resources), lock_timeout, statement_timeout, idle in transaction, read-only, deadlock and
 * serialization.
 */
const temporary = /^(53\w{3}|55P03|57014|25P03|25006|40P01|40001)$/

/** Whether the database is unreachable or refuses temporarily: the caller should retry a little later. */
export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || isTemporarilyRefused(error)
}

/** Whether another row refers to the row to be deleted. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23503'
}

/** The change contradicts existing rows (class 23 of SQLSTATE). */
export function isIntegrityViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('23') === true
}

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505' && error.constraint === constraint
}
