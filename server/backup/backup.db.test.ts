/** A backup that was taken while people worked is restored into an empty place, and every hash agrees. */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openDatabase, type Connection } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { onServer, testDatabase } from '@kelisim/db/testing.ts'
import { testWorkers } from '../testing-workers.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { receive } from '../documents/storage/receive.ts'
import { s3Storage } from '../documents/storage/s3.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import { sweepFiles } from '../documents/sweep.ts'
import { pdfOfSize } from '../documents/testing-corpus.ts'
import { startQueue } from '../jobs/queue.ts'
import { findBackups } from '../operator/queries.ts'
import { actingIn, startRequestsApp } from '../requests/core/testing-requests.ts'
import { backUp, connect } from './backup.ts'
import { checkBackup } from './check.ts'
import { backupsIn, manifestName, measure, pathByHash, type Manifest } from './manifest.ts'
import { prune } from './prune.ts'
import { restore } from './restore.ts'
import { copyOut, findTables } from './tables.ts'

const { database, connection } = await testDatabase()
const storage = await folderStorage(temporaryFolder())
const app = await startRequestsApp({ database, archive: { storage, checks: testWorkers.checks } })
const { signAt } = actingIn(app)
const company = await app.company()
const employee = { id: company.employee, organizationId: company.organizationId }
const route = await company.route(await company.point('CompanyInternalSign'))
const queue = await startQueue(connection, () => {})
afterAll(() => queue.stop())

let size = 2000
/** Sends and signs a new document, and adds a job that no process runs yet. */
async function work(): Promise<void> {
  const { employee: person, organizationId } = company
  const { result } = await company.upload(person, organizationId, { bytes: pdfOfSize((size += 100)) })
  expect(result.id).toBeDefined()
  const sent = (await company.send(route)).result
  const { status } = await signAt(employee, sent, 'CompanyInternalSign', company.stamp)
  expect(status).toBe(200)
  await database.write((tx) => queue.add(tx, 'settle-requests', { groupId: company.groupId }))
}

const minute = 60_000
let moments = 0
const backup = (to: string, change: object = {}) =>
  backUp({
    connection,
    storage,
    to,
    version: '0.57.0',
    isVerified: true,
    clock: () => new Date(Date.parse('2026-11-15T06:00:00Z') + ++moments * minute),
    ...change,
  })

const server = inject('postgres')
const made: string[] = []
afterAll(() => Promise.all(made.map((name) => onServer(server, `drop database ${name} with (force)`))))
async function emptyPlace(): Promise<{ connection: Connection & { database: string }; storage: Storage }> {
  const name = `restored_${newId().replaceAll('-', '')}`
  // Another server may have another locale.
  await onServer(server, `create database ${name} template template0 locale_provider libc locale 'C'`)
  made.push(name)
  return { connection: { ...server, database: name }, storage: await folderStorage(temporaryFolder()) }
}
const clock = () => new Date('2026-11-16T06:00:00Z')

/** The hash of each table. */
async function hashesOf(of: Connection): Promise<Record<string, string>> {
  const client = await connect(of)
  const hashes: Record<string, string> = {}
  for (const table of await findTables(client)) {
    const { stream, result } = measure()
    copyOut(client, table).pipe(stream).resume()
    await new Promise((done) => stream.once('end', done))
    hashes[`${table.schema}.${table.table}`] = result().sha256
  }
  await client.end()
  return hashes
}

function without(hashes: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(hashes).filter(([name]) => !names.includes(name)))
}

/** Every file that the database refers to is in the storage unchanged. */
async function expectEveryFile(of: Connection, there: Storage): Promise<number> {
  const restored = openDatabase({ ...of, max: 2 }, () => {})
  const files = await restored.db.selectFrom('files').selectAll().where('removedAt', 'is', null).execute()
  for (const file of files) await (await borrowVerified(there, file)).release()
  const uneven = await restored.db
    .selectFrom('signingRequests as r')
    .select('r.id')
    .where('r.eventsCount', '<>', (eb) =>
      eb
        .selectFrom('requestEvents as e')
        .select((count) => count.fn.countAll<number>().as('count'))
        .whereRef('e.requestId', '=', 'r.id'),
    )
    .execute()
  expect(uneven).toEqual([])
  await restored.close()
  return files.length
}

test('a backup taken while people work shows one moment, with all its files', async () => {
  await work()
  const to = temporaryFolder()
  const backingUp = new AbortController()
  const working = (async () => {
    do await work()
    while (!backingUp.signal.aborted)
  })()
  const { manifest, folder } = await backup(to).finally(() => backingUp.abort())
  await working
  expect(manifest.files.missing).toEqual([])
  const place = await emptyPlace()
  await restore({ ...place, from: to, clock })
  expect(await expectEveryFile(place.connection, place.storage)).toBe(manifest.files.rows)
  // Nobody but the owner reads it.
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
})

test('a restore brings back everything: tables, files, waiting jobs and sequences', async () => {
  await work()
  const to = temporaryFolder()
  const { copiedFiles, manifest } = await backup(to)
  expect(copiedFiles).toBeGreaterThan(1)
  const atTheMoment = Object.fromEntries(
    manifest.tables.map(({ schema, table, sha256 }) => [`${schema}.${table}`, sha256]),
  )
  // Written after the snapshot: the record of the backup, and the time at which the queue last maintained itself.
  const since = ['public.backups', 'pgboss.version', 'pgboss.queue']
  expect(without(await hashesOf(connection), since)).toEqual(without(atTheMoment, since))
  const place = await emptyPlace()
  await restore({ ...place, from: to, clock })
  // The restored database differs only in the note that it was restored, and in how its backup ended.
  const there = ['public.operator_acts', 'public.backups']
  expect(without(await hashesOf(place.connection), there)).toEqual(without(atTheMoment, there))
  const restored = openDatabase({ ...place.connection, max: 2 }, () => {})
  const acts = await restored.db.selectFrom('operatorActs').select(['type', 'by']).execute()
  expect(acts).toEqual([{ type: 'restored', by: null }])
  const [last] = await findBackups(restored.db, 1)
  expect(last).toMatchObject({ id: manifest.id, endedAt: new Date(manifest.endedAt), failure: null })
  // Sequences continue where they were, append-only tables still refuse changes, and the queue continues.
  await restored.write((tx) =>
    tx
      .insertInto('organizationEvents')
      .values({
        organizationId: company.organizationId,
        by: company.owner,
        at: clock(),
        type: 't',
        subject: '',
      })
      .execute(),
  )
  await expect(restored.pool.query('delete from request_events')).rejects.toThrow('append-only')
  await expect(restored.pool.query('delete from users')).rejects.toThrow('foreign key')
  const next = await startQueue(place.connection, () => {})
  let done = 0
  await next.run('settle-requests', async () => void done++)
  await vi.waitFor(() => expect(done).toBeGreaterThan(0), 20_000)
  await next.stop()
  await restored.close()
})

test('files already in the backup are not copied again, and files that no backup needs are removed with the old ones', async () => {
  const to = temporaryFolder()
  await work()
  const first = await backup(to)
  await work()
  const second = await backup(to)
  expect(second.copiedFiles).toBe(1)
  const third = await backup(to)
  expect(third.copiedFiles).toBe(0)
  expect(await backupsIn(to)).toEqual([third.folder, second.folder, first.folder])
  const nobodys = 'f'.repeat(64)
  mkdirSync(join(to, 'files', 'ff'), { recursive: true })
  for (const name of [nobodys, `${nobodys}.${newId()}.part`]) writeFileSync(join(to, 'files', 'ff', name), '')
  await prune(to, 2)
  expect(await backupsIn(to)).toEqual([third.folder, second.folder])
  expect(readdirSync(join(to, 'files', 'ff')).filter((name) => name.startsWith(nobodys))).toEqual([])
  await checkBackup(second.folder)
})

test('removing old backups leaves documents in the same folder alone', async () => {
  // As in DATA_DIR, where the documents and the backups share the folder `files`.
  const to = temporaryFolder()
  const beside = await folderStorage(join(to, 'files'))
  const bytes = await receive(Readable.from([Buffer.from('signed')]), beside.incoming, 100)
  const key = keyOf(company.organizationId, newId())
  await beside.keep(key, bytes)
  await backup(to)
  await backup(to)
  await prune(to, 1)
  expect(await beside.exists(key)).toBe(true)
})

test('a backup can be restored from one kind of storage to the other', async () => {
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: temporaryFolder(),
    configureBuckets: [{ name: 'documents', configs: [] }],
  })
  await s3.configureBuckets()
  const running = await new Promise<Server>((resolve) => {
    const http = s3.listen(0, '127.0.0.1', () => resolve(http))
  })
  const url = new URL(`http://127.0.0.1:${(running.address() as AddressInfo).port}/documents/`)
  const bucket = await s3Storage(
    { url, region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    temporaryFolder(),
  )
  await work()
  const to = temporaryFolder()
  const { manifest } = await backup(to)
  const place = { ...(await emptyPlace()), storage: bucket }
  await restore({ ...place, from: to, clock })
  expect(await expectEveryFile(place.connection, bucket)).toBe(manifest.files.rows)
  const again = temporaryFolder()
  const fromBucket = await backup(again, place)
  expect(fromBucket.manifest.files.sha256).toBe(manifest.files.sha256)
  await expect(restore({ ...(await emptyPlace()), storage: bucket, from: again, clock })).rejects.toThrow(
    'The storage is not empty',
  )
  await new Promise((resolve) => running.close(resolve))
})

describe('checking and restoring', () => {
  const made = { folder: temporaryFolder(), manifestSha256: '', name: '' }
  beforeAll(async () => {
    await work()
    const { folder, manifestSha256 } = await backup(made.folder)
    Object.assign(made, { manifestSha256, name: basename(folder) })
  })

  /** A copy of the backup, to be damaged. */
  function copied(): { to: string; folder: string } {
    const to = temporaryFolder()
    cpSync(made.folder, to, { recursive: true })
    return { to, folder: join(to, made.name) }
  }

  /** Expects a refusal before anything is written, so that the place can still be used. */
  async function refused(to: string, reason: string, change: object = {}): Promise<void> {
    const place = await emptyPlace()
    await expect(restore({ ...place, from: to, clock, ...change })).rejects.toThrow(reason)
    expect(await place.storage.isEmpty()).toBe(true)
    expect(await hashesOf(place.connection)).toEqual({})
  }

  test('a changed table is refused', async () => {
    const { to, folder } = copied()
    const path = join(folder, 'public.users.copy.gz')
    const rows = gunzipSync(readFileSync(path)).toString().replace('Person', 'Mallory')
    writeFileSync(path, gzipSync(rows))
    await refused(to, 'public.users.copy.gz is not what was backed up')
    writeFileSync(path, 'no archive')
    await refused(to, 'public.users.copy.gz')
  })

  test('a changed or missing file is refused', async () => {
    const { to } = copied()
    const names = readdirSync(join(to, 'files'), { recursive: true, encoding: 'utf8' })
    const name = names.find((one) => /\/[0-9a-f]{64}$/.test(one))!
    appendFileSync(join(to, 'files', name), 'x')
    await refused(to, 'is not what was backed up')
    // The next backup stores the file again.
    const { copiedFiles } = await backup(to)
    expect(copiedFiles).toBe(1)
    await checkBackup((await backupsIn(to))[0]!)
  })

  test('a changed list of files is refused', async () => {
    const { to, folder } = copied()
    const path = join(folder, 'files.list.gz')
    writeFileSync(path, gzipSync(gunzipSync(readFileSync(path)).toString().split('\n').slice(1).join('\n')))
    await refused(to, 'files.list.gz is not what was backed up')
  })

  test('another manifest than the one noted down, or none, is refused', async () => {
    const { to, folder } = copied()
    const path = join(folder, manifestName)
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(made.manifestSha256)
    const replace = (text: string) => {
      writeFileSync(path, text)
      writeFileSync(`${path}.sha256`, `${createHash('sha256').update(text).digest('hex')}  ${manifestName}\n`)
    }
    replace(JSON.stringify({ ...manifest, product: '9.9.9' }))
    await refused(to, 'not the one that was expected', { expected: made.manifestSha256 })
    const newer = [...manifest.migrations, { name: '9999_later.sql', sha256: '0'.repeat(64) }]
    replace(JSON.stringify({ ...manifest, migrations: newer }))
    await refused(to, 'newer than this one')
    replace('{}')
    await refused(to, 'cannot be read')
    await refused(temporaryFolder(), 'There is no backup')
  })

  test('a manifest with one wrong bit, or without its hash, is refused', async () => {
    const { to, folder } = copied()
    const path = join(folder, manifestName)
    const bytes = readFileSync(path)
    // The changed bit is in a value that no other check compares.
    const at = bytes.indexOf('"product": "') + '"product": "'.length
    writeFileSync(path, bytes.with(at, bytes[at]! ^ 1))
    await refused(to, 'The manifest is not what was written')
    writeFileSync(path, bytes)
    rmSync(`${path}.sha256`)
    await refused(to, 'The hash of the manifest is missing')
  })

  test('a backup of an older version, which kept no hash of its manifest, is accepted', async () => {
    const { folder } = copied()
    const path = join(folder, manifestName)
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
    writeFileSync(path, JSON.stringify({ ...manifest, format: 1 }))
    rmSync(`${path}.sha256`)
    await checkBackup(folder)
  })

  test('restoring into a database or a storage that is not empty is refused', async () => {
    const from = made.folder
    await expect(restore({ connection, storage, from, clock })).rejects.toThrow('The database is not empty')
    const place = await emptyPlace()
    await expect(restore({ ...place, storage, from, clock })).rejects.toThrow('The storage is not empty')
  })

  test('a restore that fails half-way can be tried again', async () => {
    const place = await emptyPlace()
    const full: Storage = {
      ...place.storage,
      async keep(key, received) {
        if (!(await place.storage.isEmpty())) throw new Error('no space left')
        return place.storage.keep(key, received)
      },
    }
    const from = made.folder
    await expect(restore({ ...place, storage: full, from, clock })).rejects.toThrow('no space left')
    expect(await place.storage.isEmpty()).toBe(true)
    expect(await hashesOf(place.connection)).toEqual({})
    await restore({ ...place, from, clock })
  })
})

test('a backup is shown while it is made, and as broken off when its process has died', async () => {
  const seen = async () => (await findBackups(database.db, 1))[0]
  const entered = Promise.withResolvers<void>()
  const killed = Promise.withResolvers<never>()
  const stuck: Storage = {
    ...storage,
    borrow() {
      entered.resolve()
      return killed.promise
    },
  }
  const place = temporaryFolder()
  const making = backup(place, { storage: stuck })
  await entered.promise
  expect(await seen()).toMatchObject({ place, endedAt: null, failure: null })

  // As after a killed process: its connection is gone, and the end of the backup is never recorded.
  const { rows } = await sql<{ pid: number }>`
    select pg_terminate_backend(pid), pid from pg_stat_activity
    where datname = current_database() and application_name = 'kelisim-backup'`.execute(database.db)
  expect(rows).toHaveLength(1)
  await expect
    .poll(seen)
    .toMatchObject({ place, endedAt: null, failure: 'broken off before it was finished' })
  killed.reject(new Error('killed'))
  await expect(making).rejects.toThrow('killed')
})

test('a file lost by the storage is reported, and the rest is backed up', async () => {
  const { employee: person, organizationId } = company
  await company.upload(person, organizationId, { bytes: pdfOfSize((size += 100)) })
  const file = await database.db
    .selectFrom('files')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await storage.remove(keyOf(organizationId, file.id))
  const to = temporaryFolder()
  const { manifest } = await backup(to)
  expect(manifest.files.missing).toEqual([file.id])
  const last = await database.db
    .selectFrom('backups')
    .selectAll()
    .orderBy('beganAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(last).toMatchObject({ id: manifest.id, isVerified: true, place: to })
  expect(last.failure).toBe('1 files are missing or damaged in the storage')
  await restore({ ...(await emptyPlace()), from: to, clock })
})

test('a destroyed file goes with the old backups, and new backups do not report it as missing', async () => {
  const { employee: person, organizationId } = company
  await company.upload(person, organizationId, { bytes: pdfOfSize((size += 100)) })
  const { db, write } = database
  const newest = db.selectFrom('files').selectAll().orderBy('id', 'desc').limit(1)
  const { id, sha256 } = await newest.executeTakeFirstOrThrow()
  const to = temporaryFolder()
  const before = await backup(to)
  const kept = pathByHash(join(to, 'files'), sha256.toString('hex'))
  expect(statSync(kept).isFile()).toBe(true)

  await storage.remove(keyOf(organizationId, id))
  const now = new Date()
  await write((tx) =>
    tx.updateTable('files').set({ destroyedAt: now, removedAt: now }).where('id', '=', id).execute(),
  )
  const { manifest } = await backup(to)
  expect(manifest.files.rows).toBe(before.manifest.files.rows - 1)
  expect((await backup(temporaryFolder())).manifest.files.missing).not.toContain(id)
  await prune(to, 1)
  expect(existsSync(kept)).toBe(false)
})

test('the sweep leaves files alone while a backup is being made', async () => {
  const { employee: person, organizationId } = company
  await company.upload(person, organizationId, { bytes: pdfOfSize((size += 100)) })
  const { id } = await database.db
    .selectFrom('files')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  await database.write(async (tx) => {
    await tx.deleteFrom('documents').where('fileId', '=', id).execute()
    await tx
      .updateTable('files')
      .set({ releasedAt: new Date('2026-11-01') })
      .where('id', '=', id)
      .execute()
  })
  const key = keyOf(organizationId, id)
  const watched: Storage = {
    ...storage,
    async borrow(asked) {
      await sweepFiles(database, storage, app.time.now)
      return storage.borrow(asked)
    },
  }
  const { manifest } = await backup(temporaryFolder(), { storage: watched })
  expect(manifest.files.missing).not.toContain(id)
  expect(await storage.exists(key)).toBe(true)
  await sweepFiles(database, storage, app.time.now)
  expect(await storage.exists(key)).toBe(false)
})
