/** Bytes that a killed process stored and never saved a row for. */
import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { temporaryFolder } from '@kelisim/db/temporary-folder.ts'
import { day } from '@kelisim/domain/durations.ts'
import { testWorkers } from '../testing-workers.ts'
import { folderStorage } from '../documents/storage/folder.ts'
import { keyOf } from '../documents/storage/storage.ts'
import { uploader } from '../documents/testing-uploads.ts'
import { pendingPlace } from '../landing/transactions.ts'
import { startTestApp } from '../testing.ts'
import { findOrphans, sweepNamed, sweepOrphans } from './orphans.ts'
import { findActs } from './queries.ts'

const storage = await folderStorage(temporaryFolder())
const context = await startTestApp({ archive: { storage, checks: testWorkers.checks } })
const { database, make } = context
const personId = await make.person()
const organizationId = await make.organization(personId)

/** Stores a file without a row, as a process that died leaves it. */
async function store(place: string): Promise<string> {
  const key = keyOf(place, randomUUID())
  await storage.keep(key, await storage.receive(Readable.from([randomBytes(1000)]), 1000))
  return key
}

const later = (days: number) => new Date(Date.now() + days * day)
const orphanKeys = async (now: Date) =>
  (await findOrphans(database.db, storage, now)).map(({ key }) => key).toSorted()

test('files without a row are reported and deleted after a day, and no others', async () => {
  const { status } = await uploader(context)(personId, organizationId)
  expect(status).toBe(200)
  const orphans = [await store(organizationId), await store(pendingPlace)].toSorted()
  const foreign = await store(randomUUID())

  // A call that is receiving a file right now saves its row later.
  expect(await orphanKeys(later(0.9))).toEqual([])
  await sweepOrphans(database, storage, later(0.9))
  expect(await Readable.from(storage.list()).toArray()).toHaveLength(4)

  expect(await orphanKeys(later(1.1))).toEqual([...orphans, foreign].toSorted())
  await sweepOrphans(database, storage, later(1.1))
  for (const key of orphans) expect(await storage.exists(key)).toBe(false)
  expect(await storage.exists(foreign)).toBe(true)
  // What stays is the uploaded document, and the file that may belong to another installation.
  expect(await Readable.from(storage.list()).toArray()).toHaveLength(2)
})

test('too many orphans are not deleted, but reported', async () => {
  for (let i = 0; i < 101; i++) await store(organizationId)
  await expect(sweepOrphans(database, storage, later(1.1))).rejects.toThrow('is this the right database')
  expect(await orphanKeys(later(1.1))).toHaveLength(102)
})

test('an operator who names the expected number can delete them, which is recorded', async () => {
  const act = { by: null, at: later(1.1) }
  await expect(sweepNamed(database, storage, 100, act)).rejects.toThrow('101 files')
  expect(await sweepNamed(database, storage, 101, act)).toBe(101)
  expect(await orphanKeys(later(1.1))).toHaveLength(1)
  const { items } = await findActs(database.db, { skip: 0, take: 10 })
  expect(items.map(({ type, details }) => [type, details])).toEqual([['swept', { count: 101 }]])
})
