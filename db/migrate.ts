/**
 * Forward-only migrations: `NNNN_what.sql`, each in its own transaction, each recorded with its SHA-256. Several
 * processes may start at once: an advisory lock lets one of them work while the others wait.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Connection } from './db.ts'

export const migrationsFolder = new URL('./migrations/', import.meta.url)

/** An arbitrary number, the same in every process of the product. */
const lockKey = 5_700_257

export type Migration = { name: string; sql: string; sha256: string }

export function readMigrations(folder: URL = migrationsFolder): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8')
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    })
}

/**
 * Whether a migration declares that it only adds. Otherwise an older version must not run on the new schema, because it
 * would decide by less than what is stored.
 */
export function onlyAdds(sql: string): boolean {
  return /^-- expands: \S/m.test(sql)
}

/**
 * A statement that waits for a table lock makes all later ones wait too, even reads. So a migration waits briefly, lets
 * the others pass and tries again. A backup, which holds every table, takes minutes: then the start goes on waiting.
 * Each wait is longer than a second, because only then does the database cancel an automatic vacuum that holds the
 * table (deadlock_timeout).
 */
type LockWait = { lockMs: number; pauseMs: number; tries: number }
const shortly: LockWait = { lockMs: 1_500, pauseMs: 2_000, tries: 5 }
const [lockNotAvailable, deadlock] = ['55P03', '40P01']

/** Brings the database up to date and returns the migrations it ran. */
export async function migrate(
  connection: Connection,
  migrations = readMigrations(),
  lockWait = shortly,
): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
    await client.query(`create table if not exists migrations (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`)
    await client.query(
      'alter table migrations add column if not exists only_adds boolean not null default false',
    )
    const { rows } = await client.query<Applied>('select name, sha256, only_adds from migrations')
    refuseForeignHistory(rows, migrations)
    const missing = migrations.filter((m) => !rows.some((row) => row.name === m.name))
    for (const migration of missing) await apply(client, migration, lockWait)
    return missing.map((m) => m.name)
  } finally {
    await client.end() // also rolls back an open transaction and releases the lock
  }
}

async function apply(
  client: pg.Client,
  { name, sql, sha256 }: Migration,
  { lockMs, pauseMs, tries }: LockWait,
): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${lockMs}`)
      // A long migration that hit a time limit of the server would only start again from the beginning.
      await client.query('set local statement_timeout = 0')
      await client.query(sql)
      await client.query('insert into migrations (name, sha256, only_adds) values ($1, $2, $3)', [
        name,
        sha256,
        onlyAdds(sql),
      ])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      const isHeld = code === lockNotAvailable || code === deadlock
      if (!isHeld || tried === tries) throw error
      await pause(pauseMs)
    }
  }
}

export type Applied = { name: string; sha256: string; only_adds: boolean }

/** Migrations of a newer version that only add are accepted: during an upgrade or a rollback both versions run. */
export function refuseForeignHistory(applied: readonly Applied[], known: readonly Migration[]): void {
  for (const row of applied) {
    const file = known.find((m) => m.name === row.name)
    if (!file && row.only_adds) continue
    if (!file) {
      throw new Error(
        `The database is newer than this program: it has the migration ${row.name}. Start the newer version.`,
      )
    }
    if (file.sha256 !== row.sha256) {
      throw new Error(
        `The migration ${row.name} was edited after it ran here. Restore the file and put the change into a new one; ` +
          'if it was never merged, remove this data and start again.',
      )
    }
  }
}
