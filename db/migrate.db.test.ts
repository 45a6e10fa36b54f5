import { spawn } from 'node:child_process'
import { once } from 'node:events'
import pg from 'pg'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { newId } from './id.ts'
import { migrate, readMigrations, type Migration } from './migrate.ts'
import { onServer } from './testing.ts'

const server = inject('postgres')
const made: string[] = []

async function emptyDatabase() {
  const database = `empty_${newId().replaceAll('-', '')}`
  await onServer(server, `create database ${database}`)
  made.push(database)
  return { ...server, database }
}

afterAll(async () => {
  for (const name of made) await onServer(server, `drop database ${name} with (force)`)
})

async function rowsOf<R extends pg.QueryResultRow>(connection: pg.ClientConfig, sql: string): Promise<R[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

const small = (name: string, sql: string): Migration => ({ name, sql, sha256: `hash of ${sql}` })
const first = small('0001_first.sql', 'create table first (id int)')
const second = small('0002_second.sql', 'create table second (id int)')

test('a fresh database gets every migration, in order; the second start has nothing to do', async () => {
  const connection = await emptyDatabase()
  const names = readMigrations().map((m) => m.name)
  expect(names).toEqual(names.toSorted())
  // Several people choose numbers at the same time: each is used once, and gaps may be filled later.
  const numbers = names.map((name) => /^\d{4}(?=_[a-z0-9_]+\.sql$)/.exec(name)?.[0])
  expect(new Set(numbers).size).toBe(names.length)
  expect(numbers).not.toContain(undefined)
  expect(await migrate(connection)).toEqual(names)
  expect(await migrate(connection)).toEqual([])
})

test('a new migration is added to a database that has the older ones', async () => {
  const connection = await emptyDatabase()
  expect(await migrate(connection, [first])).toEqual(['0001_first.sql'])
  expect(await migrate(connection, [first, second])).toEqual(['0002_second.sql'])
})

test('while a table needed by a migration is locked, others can still read it', async () => {
  const connection = await emptyDatabase()
  await migrate(connection, [first])
  const [holder, reader] = [new pg.Client(connection), new pg.Client(connection)]
  for (const client of [holder, reader]) await client.connect()
  // A backup holds this lock until everything is copied.
  await holder.query('begin; lock table first in access share mode')
  const widening = small('0002_wider.sql', 'alter table first add column name text')
  const migrated = migrate(connection, [first, widening], { lockMs: 50, pauseMs: 10, tries: 10_000 })
  const isMigrationWaiting = async () => {
    const { rows } = await reader.query(
      "select from pg_locks where not granted and relation = 'first'::regclass",
    )
    return rows.length > 0
  }
  await vi.waitFor(async () => expect(await isMigrationWaiting()).toBe(true), {
    timeout: 20_000,
    interval: 5,
  })
  // Without the limit readers would queue behind the migration until the holder releases its lock.
  expect((await reader.query('select from first')).rowCount).toBe(0)
  await holder.query('commit')
  expect(await migrated).toEqual(['0002_wider.sql'])
  for (const client of [holder, reader]) await client.end()
})

test('a version starts on a newer database only if the unknown migrations are marked as only adding', async () => {
  const connection = await emptyDatabase()
  const adding = small(
    '0002_adding.sql',
    '-- expands: nothing that was there reads it\ncreate table more (id int)',
  )
  const silent = small('0003_silent.sql', 'create table other (id int)')
  await migrate(connection, [first, adding])
  expect(await migrate(connection, [first])).toEqual([])
  await migrate(connection, [first, adding, silent])
  await expect(migrate(connection, [first, adding])).rejects.toThrow(
    'newer than this program: it has the migration 0003_silent.sql',
  )
  await expect(migrate(connection, [first])).rejects.toThrow('0003_silent.sql')
})

test('an edited migration stops the start and is named', async () => {
  const connection = await emptyDatabase()
  await migrate(connection, [first])
  const edited = { ...first, sha256: 'another' }
  await expect(migrate(connection, [edited, second])).rejects.toThrow('0001_first.sql was edited')
  expect(await rowsOf(connection, "select from pg_tables where tablename = 'second'")).toEqual([])
})

describe('a migration that fails', () => {
  test('is rolled back, keeps those before it, and runs once it is corrected', async () => {
    const connection = await emptyDatabase()
    const broken = small('0002_second.sql', 'create table second (id int); select 1 / 0')
    await expect(migrate(connection, [first, broken])).rejects.toThrow('division by zero')
    const tables = await rowsOf(
      connection,
      "select tablename from pg_tables where schemaname = 'public' order by 1",
    )
    expect(tables).toEqual([{ tablename: 'first' }, { tablename: 'migrations' }])
    expect(await migrate(connection, [first, second])).toEqual(['0002_second.sql'])
  })
})

test('of five processes that start at once, each migration is run by one', async () => {
  const connection = await emptyDatabase()
  const code = `
    import { migrate } from ${JSON.stringify(new URL('./migrate.ts', import.meta.url).href)}
    console.log(JSON.stringify(await migrate(${JSON.stringify(connection)})))`
  const runs = Array.from({ length: 5 }, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', code])
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.pipe(process.stderr)
    const [status] = await once(child, 'close')
    expect(status).toBe(0)
    return JSON.parse(output) as string[]
  })
  const ran = (await Promise.all(runs)).flat()
  expect(ran.toSorted()).toEqual(readMigrations().map((m) => m.name))
})
