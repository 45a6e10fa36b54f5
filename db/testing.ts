/**
 * A separate database for each test file, copied in some 50 ms from a template with every migration. The embedded
 * server is started once a run by db/testing-setup.ts (vitest's global set-up).
 */
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { openDatabase, type Connection, type Database } from './db.ts'
import { newId } from './id.ts'

export async function testDatabase(): Promise<{ database: Database; connection: Connection }> {
  const server = inject('postgres')
  const name = `test_${newId().replaceAll('-', '')}`
  await onServer(server, `create database ${name} template ${templateName} strategy file_copy`)
  const connection = { ...server, database: name }
  const database = openDatabase({ ...connection, max: 5 }, () => {})
  afterAll(async () => {
    await database.close()
    await onServer(server, `drop database ${name} with (force)`)
  })
  return { database, connection }
}

/** How many sessions of this database wait for a lock. */
export async function countWaiting({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return rows[0]!.count
}

export const templateName = 'kelisim_template'

export async function onServer(server: pg.ClientConfig, sql: string): Promise<void> {
  const client = new pg.Client(server)
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
