/**
 * Restores a backup into an empty database and an empty storage. Every hash is compared before anything is written,
 * and the hashes of the tables once more in the transaction that writes them.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Writable } from 'node:stream'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Connection } from '@kelisim/db/db.ts'
import { migrate, readMigrations, type Migration } from '@kelisim/db/migrate.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { connect, sumOf } from './backup.ts'
import { checkBackup } from './check.ts'
import {
  fail,
  filesFolder,
  findBackup,
  listedFiles,
  measure,
  pathByHash,
  unpack,
  type Manifest,
} from './manifest.ts'
import { copyIn, copyOut, findTables, jobsVersion, named, quoted, schemas, type Table } from './tables.ts'

export type RestoreOptions = {
  connection: Connection
  storage: Storage
  /** A backup, or a folder with several backups, of which the newest is restored. */
  from: string
  /** The hash of the manifest, as noted when the backup was made. */
  expected?: string | undefined
  clock: () => Date
  say?: (line: string) => void
}

export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { connection, storage, expected, say = () => {} } = options
  const folder = await findBackup(options.from)
  say(`restoring ${folder}`)
  const { manifest, sha256 } = await checkBackup(folder, say)
  if (expected !== undefined && expected !== sha256) fail('The manifest is not the one that was expected')
  const migrations = knownMigrations(manifest)
  const client = await connect(connection)
  try {
    await refuseWhatIsThere(client, storage)
    const kept: string[] = []
    try {
      await migrate(connection, migrations)
      if (manifest.jobsVersion !== null) await prepareJobs(client, connection, manifest.jobsVersion)
      await putFiles(storage, folder, manifest, kept)
      say(`${kept.length} files are in the storage`)
      await loadTables(client, folder, manifest)
      say(`${manifest.tables.length} tables are in the database, and are what was backed up`)
    } catch (error) {
      // The target was empty and is emptied again, so that the restore can be repeated.
      await emptyDatabase(client)
      for (const key of kept) await storage.remove(key)
      throw error
    }
    for (const name of await migrate(connection)) say(`brought up to date: ${name}`)
    await client.query('analyze')
    await endRecord(client, manifest)
    await client.query(
      `insert into operator_acts (at, by, type, details) values ($1, null, 'restored', $2)`,
      [options.clock(), { backup: manifest.id, madeAt: manifest.beganAt }],
    )
    return manifest
  } finally {
    await client.end()
  }
}

/** The restored database has a record that the backup began; this adds from the manifest how it ended. */
async function endRecord(client: pg.Client, manifest: Manifest): Promise<void> {
  const { rows, bytes } = sumOf(manifest)
  await client.query(
    `update backups set ended_at = $2, rows = $3, files = $4, bytes = $5 where id = $1 and ended_at is null`,
    [manifest.id, manifest.endedAt, rows, manifest.files.rows, bytes],
  )
}

/** The migrations the backup was made with; this program must have all of them, unchanged. */
function knownMigrations(manifest: Manifest): Migration[] {
  const ours = readMigrations()
  return manifest.migrations.map(({ name, sha256 }) => {
    const known = ours.find((one) => one.name === name)
    if (known?.sha256 !== sha256) {
      fail(
        `The backup was made by version ${manifest.product}, which is newer than this one: ${name} is not known`,
      )
    }
    return known
  })
}

async function refuseWhatIsThere(client: pg.Client, storage: Storage): Promise<void> {
  const [table] = await findTables(client)
  if (table) fail(`The database is not empty: it has a table ${table.table}. Nothing was changed`)
  if (!(await storage.isEmpty())) fail('The storage is not empty: there are files in it. Nothing was changed')
}

/** Drops everything except what belongs to extensions. */
async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query('drop schema if exists pgboss cascade')
  const { rows } = await client.query<{ sql: string }>(
    `select format('drop table if exists public.%I cascade', c.relname) as sql
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
     union all
     select format('drop routine if exists %s cascade', p.oid::regprocedure)
     from pg_proc p where p.pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  )
  for (const { sql } of rows) await client.query(sql)
}

/** The tables of the queue belong to its library, which creates them in its current version. */
async function prepareJobs(client: pg.Client, connection: Connection, version: number): Promise<void> {
  const boss = new PgBoss({ ...connection, max: 2, supervise: false, schedule: false })
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
  const now = await jobsVersion(client)
  if (now !== version) {
    fail(
      `The job queue of the backup has version ${version}, this program has ${now}: ` +
        'restore with the program that made the backup, then update it',
    )
  }
}

async function putFiles(storage: Storage, folder: string, manifest: Manifest, kept: string[]): Promise<void> {
  const missing = new Set(manifest.files.missing)
  for await (const { id, organizationId, sha256, size } of listedFiles(folder, manifest)) {
    if (missing.has(id)) continue
    const stream = createReadStream(pathByHash(filesFolder(folder), sha256))
    const received = await storage.receive(stream, size)
    try {
      if (received.sha256.toString('hex') !== sha256) fail(`The file ${id} is not what was backed up`)
      const key = keyOf(organizationId, id)
      await storage.keep(key, received)
      kept.push(key)
    } finally {
      await received.discard()
    }
  }
}

/** Loads all tables in one transaction. */
async function loadTables(client: pg.Client, folder: string, manifest: Manifest): Promise<void> {
  await client.query('begin')
  try {
    const here = await findTables(client)
    const tables = manifest.tables.map((table) => ({ packed: table, target: targetOf(table, here) }))
    const references = await dropReferences(client)
    // Triggers have already counted or refused when the rows were first written, so they are off here.
    const ofOurs = tables.filter(({ target }) => target.schema === 'public')
    for (const { target } of ofOurs) await client.query(`alter table ${named(target)} disable trigger user`)
    await client.query(`truncate ${tables.map(({ target }) => named(target)).join(', ')}`)
    for (const { packed, target } of tables) {
      const { content, done } = unpack(folder, packed)
      await pipeline(content, copyIn(client, target)).catch(async (error: unknown) => {
        await done
        throw error
      })
      await done
    }
    for (const { target } of ofOurs) await client.query(`alter table ${named(target)} enable trigger user`)
    for (const sql of references) await client.query(sql)
    for (const { schema, name, last } of manifest.sequences) {
      if (last !== null)
        await client.query('select setval($1, $2)', [`${quoted(schema)}.${quoted(name)}`, last])
    }
    for (const { packed, target } of tables) await compare(client, packed, target)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

function targetOf(packed: Manifest['tables'][number], here: readonly Table[]): Table {
  const found = here.find(({ schema, table }) => schema === packed.schema && table === packed.table)
  const hasAll = packed.columns.every((column) => found?.columns.includes(column))
  return found && hasAll
    ? { ...found, columns: packed.columns }
    : fail(`This program has no table ${packed.table} as it was backed up`)
}

/**
 * Rows arrive in any order, so foreign keys are dropped first and checked at the end. Returns the statements that add
 * them again.
 */
async function dropReferences(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
     from pg_constraint c join pg_namespace n on n.oid = c.connamespace
     where c.contype = 'f' and c.conparentid = 0 and n.nspname = any ($1)`,
    [schemas],
  )
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`,
  )
}

async function compare(client: pg.Client, packed: Manifest['tables'][number], target: Table): Promise<void> {
  const { stream, result } = measure()
  await pipeline(copyOut(client, target), stream, new Writable({ write: (_chunk, _, done) => done() }))
  const { sha256, rows } = result()
  if (sha256 !== packed.sha256 || rows !== packed.rows) fail(`${packed.table} is not what was backed up`)
}
