/**
 * A backup is a snapshot of the database, taken while people go on working, and every file it refers to. Files never
 * change and are removed only by the sweep, which waits for a running backup; so they may be copied after the
 * snapshot.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Connection } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { to as copyTo } from 'pg-copy-streams'
import { filesLock } from '../documents/queries.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { checkBackup } from './check.ts'
import {
  fail,
  filesFolder,
  isThere,
  listedFiles,
  measure,
  pack,
  pathByHash,
  privateFolder,
  sizeOf,
  unfinished,
  writeManifest,
  type ListedFile,
  type Manifest,
} from './manifest.ts'
import { copyOut, findSequences, findTables, jobsVersion, named } from './tables.ts'

export type BackupOptions = {
  connection: Connection
  storage: Storage
  /** A folder for any number of backups and the files they share. */
  to: string
  version: string
  /** Whether everything is read again afterwards and compared. */
  isVerified: boolean
  clock: () => Date
  say?: (line: string) => void
}

export type BackupSummary = {
  folder: string
  manifest: Manifest
  /** To be noted outside the backup, because whoever can change the backup can change its manifest too. */
  manifestSha256: string
  copiedFiles: number
}

/** Makes a backup; its beginning and its result are saved in the database, where the operator sees them. */
export async function backUp(options: BackupOptions): Promise<BackupSummary> {
  const id = newId()
  const beganAt = options.clock()
  const client = await connect(options.connection)
  try {
    // Held until the connection ends: the sweep removes no file of this snapshot, and the operator sees that it runs.
    await client.query('select pg_advisory_lock_shared($1)', [filesLock])
    await recordStart(client, options, id, beganAt)
    const made = await make(client, options, id, beganAt)
    const { rows, bytes } = sumOf(made.manifest)
    const { missing } = made.manifest.files
    await record(client, options, {
      id,
      beganAt,
      rows,
      bytes,
      files: made.manifest.files.rows,
      isVerified: options.isVerified,
      failure: missing.length > 0 ? `${missing.length} files are missing or damaged in the storage` : null,
    })
    return made
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error)
    const nothing = { rows: 0, bytes: 0, files: 0, isVerified: false }
    await record(client, options, { id, beganAt, failure, ...nothing }).catch(() => {})
    throw error
  } finally {
    await client.end()
  }
}

async function make(
  client: pg.Client,
  options: BackupOptions,
  id: string,
  beganAt: Date,
): Promise<BackupSummary> {
  const { to, clock, version, say = () => {} } = options
  const name = beganAt
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const [whole, half] = [join(to, name), join(to, `${unfinished}${id}`)]
  if (await isThere(whole)) fail(`${whole} is there already`)
  await privateFolder(to)
  await privateFolder(filesFolder(whole))
  await privateFolder(half)
  try {
    const moment = await copySnapshot(client, half, say)
    const copied = await copyFiles(options, half, moment.files)
    const manifest: Manifest = {
      format: 2,
      id,
      product: version,
      beganAt: beganAt.toISOString(),
      endedAt: clock().toISOString(),
      ...moment,
      files: { ...moment.files, storedBytes: copied.storedBytes, missing: copied.missing },
    }
    const manifestSha256 = await writeManifest(half, manifest)
    await syncFolder(half)
    await rename(half, whole)
    await syncFolder(to)
    if (options.isVerified) await checkBackup(whole, say)
    return { folder: whole, manifest, manifestSha256, copiedFiles: copied.copiedFiles }
  } catch (error) {
    await rm(half, { recursive: true, force: true })
    throw error
  }
}

type Snapshot = Pick<Manifest, 'mode' | 'migrations' | 'jobsVersion' | 'tables' | 'sequences' | 'files'>

/** All tables as of one moment, whatever happens meanwhile. */
async function copySnapshot(
  client: pg.Client,
  folder: string,
  say: (line: string) => void,
): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only')
  const tables = await findTables(client)
  if (!tables.some(({ table }) => table === 'migrations'))
    fail('There is nothing to back up in this database')
  // No table definition changes before we have finished.
  await client.query(`lock table ${tables.map(named).join(', ')} in access share mode`)
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations order by name',
  )
  const { rows: modes } = await client.query<{ mode: 'demo' | 'production' }>('select mode from installation')
  const packed: Snapshot['tables'] = []
  for (const table of tables) {
    const file = `${table.schema}.${table.table}.copy.gz`
    const { schema, columns } = table
    packed.push({
      schema,
      table: table.table,
      columns,
      ...(await pack(folder, file, copyOut(client, table))),
    })
  }
  // A new backup omits files that a retention act has destroyed; they vanish with the last backup that has them.
  const list = copyTo(
    `copy (select encode(sha256, 'hex'), size, organization_id, id from files
      where removed_at is null order by id) to stdout`,
  )
  const files = await pack(folder, 'files.list.gz', client.query(list))
  // Read after the tables, so that a sequence is never behind their values.
  const sequences = await findSequences(client)
  const version = await jobsVersion(client)
  await client.query('commit')
  say(`${packed.length} tables, ${packed.reduce((sum, { rows }) => sum + rows, 0)} rows`)
  return {
    mode: modes[0]?.mode ?? null,
    migrations,
    jobsVersion: version,
    tables: packed,
    sequences,
    files: { ...files, storedBytes: 0, missing: [] },
  }
}

const filesAtOnce = 4

/** Copies the files that the folder does not have yet. */
async function copyFiles(
  { storage, say = () => {} }: BackupOptions,
  folder: string,
  files: Manifest['files'],
): Promise<{ copiedFiles: number; storedBytes: number; missing: string[] }> {
  const target = filesFolder(folder)
  const seen = new Set<string>()
  const missing: string[] = []
  let [copiedFiles, storedBytes] = [0, 0]
  const listed = listedFiles(folder, { files })
  const worker = async () => {
    for await (const file of listed) {
      if (seen.has(file.sha256)) continue
      seen.add(file.sha256)
      const path = pathByHash(target, file.sha256)
      if ((await sizeOf(path)) !== file.size) {
        if (!(await copyFile(storage, file, path))) {
          // Another file may have the same bytes.
          seen.delete(file.sha256)
          missing.push(file.id)
          continue
        }
        copiedFiles++
      }
      storedBytes += file.size
    }
  }
  await Promise.all(Array.from({ length: filesAtOnce }, worker))
  say(`${seen.size} files, ${copiedFiles} of them new`)
  if (missing.length > 0)
    say(`${missing.length} files are missing or damaged in the storage: ${missing.join(' ')}`)
  return { copiedFiles, storedBytes, missing }
}

/** False if the storage does not have the file unchanged. */
export async function copyFile(storage: Storage, file: ListedFile, path: string): Promise<boolean> {
  const borrowed = await storage.borrow(keyOf(file.organizationId, file.id))
  if (!borrowed) return false
  const part = `${path}.${randomUUID()}.part`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const measured = measure()
    await pipeline(
      createReadStream(borrowed.path),
      measured.stream,
      createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
    )
    const { sha256, bytes } = measured.result()
    if (sha256 !== file.sha256 || bytes !== file.size) return false
    await rename(part, path)
    return true
  } finally {
    await rm(part, { force: true })
    await borrowed.release()
  }
}

type BackupResult = {
  id: string
  beganAt: Date
  failure: string | null
  isVerified: boolean
  rows: number
  bytes: number
  files: number
}

/** Records a backup whose process may die. A database that has no tables yet has no table for this record either. */
async function recordStart(
  client: pg.Client,
  { to }: BackupOptions,
  id: string,
  beganAt: Date,
): Promise<void> {
  const tables = await findTables(client)
  if (!tables.some(({ table }) => table === 'backups')) return
  await client.query(
    `insert into backups (id, began_at, ended_at, place, failure, is_verified, rows, files, bytes)
     values ($1, $2, null, $3, null, false, 0, 0, 0)`,
    [id, beganAt, to],
  )
}

async function record(client: pg.Client, { to, clock }: BackupOptions, outcome: BackupResult): Promise<void> {
  const { id, beganAt, failure, isVerified, rows, files, bytes } = outcome
  await client.query('rollback')
  await client.query(
    `insert into backups (id, began_at, ended_at, place, failure, is_verified, rows, files, bytes)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update set ended_at = excluded.ended_at, failure = excluded.failure,
       is_verified = excluded.is_verified, rows = excluded.rows, files = excluded.files, bytes = excluded.bytes`,
    [id, beganAt, clock(), to, failure?.slice(0, 500) ?? null, isVerified, rows, files, bytes],
  )
}

export function sumOf({ tables, files }: Manifest): { rows: number; bytes: number } {
  return {
    rows: tables.reduce((sum, table) => sum + table.rows, 0),
    bytes: files.storedBytes + tables.reduce((sum, table) => sum + table.packedBytes, 0),
  }
}

/** May take hours, so there are no timeouts. The output of COPY must not depend on the server's settings. */
const sessionSettings = {
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

export async function connect(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'kelisim-backup' })
  client.on('error', () => {}) // the caller gets the error with the next query
  await client.connect()
  for (const [name, value] of Object.entries(sessionSettings)) {
    await client.query('select set_config($1, $2, false)', [name, value])
  }
  return client
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
