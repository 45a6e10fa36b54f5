/**
 * Stored bytes that no row refers to, left by a process that died after storing a file and before saving its row. A
 * chore looks for them once a day and removes those that are a day old; `ops audit-storage` reports them.
 */
import type { Database, Db } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { findFilesAmong } from '../documents/queries.ts'
import { readKey, type Storage, type StoredFile } from '../documents/storage/storage.ts'
import { findPendingFilesAmong } from '../landing/queries.ts'
import { pendingPlace } from '../landing/transactions.ts'
import { noteAct, type ActBy } from './acts.ts'
import { findOrganizationsAmong } from './queries.ts'

/** `isForeign`: of an organisation that this database does not know, so they may belong to another installation. */
export type Orphan = StoredFile & { isForeign: boolean }

/** More orphans than deaths of processes explain: then the database is probably the wrong one, or an older one. */
const mostAtOnce = 100
const batchSize = 500

/** Files younger than a day may be waiting for their row. */
export async function findOrphans(db: Db, storage: Pick<Storage, 'list'>, now: Date): Promise<Orphan[]> {
  const before = new Date(now.getTime() - day)
  const orphans: Orphan[] = []
  let batch: StoredFile[] = []
  for await (const file of storage.list()) {
    if (file.storedAt >= before || readKey(file.key) === null) continue
    batch.push(file)
    if (batch.length < batchSize) continue
    orphans.push(...(await orphansAmong(db, batch)))
    batch = []
  }
  return [...orphans, ...(await orphansAmong(db, batch))]
}

async function orphansAmong(db: Db, files: readonly StoredFile[]): Promise<Orphan[]> {
  if (files.length === 0) return []
  const keys = files.map((file) => ({ file, ...readKey(file.key)! }))
  const ids = keys.map(({ fileId }) => fileId)
  const [known, pending, organizations] = await Promise.all([
    findFilesAmong(db, ids),
    findPendingFilesAmong(db, ids),
    findOrganizationsAmong(db, [...new Set(keys.map(({ organizationId }) => organizationId))]),
  ])
  return keys
    .filter(({ fileId }) => !known.has(fileId) && !pending.has(fileId))
    .map(({ file, organizationId }) => ({
      ...file,
      isForeign: organizationId !== pendingPlace && !organizations.has(organizationId),
    }))
}

/** Removes nothing if there are more orphans than can be explained: removed bytes cannot be brought back. */
export async function sweepOrphans({ db }: Database, storage: Storage, now: Date): Promise<void> {
  for (const { key } of await ownOrphans(db, storage, now, mostAtOnce)) await storage.remove(key)
}

/** The same for an operator who has looked at the orphans and says how many there may be. */
export async function sweepNamed(
  { db, write }: Database,
  storage: Storage,
  most: number,
  act: ActBy,
): Promise<number> {
  const orphans = await ownOrphans(db, storage, act.at, most)
  if (orphans.length === 0) return 0
  // Recorded first, so that nothing is removed without a trace.
  await write((tx) => noteAct(tx, act, 'swept', { count: orphans.length }))
  for (const { key } of orphans) await storage.remove(key)
  return orphans.length
}

async function ownOrphans(db: Db, storage: Storage, now: Date, most: number): Promise<Orphan[]> {
  const orphans = (await findOrphans(db, storage, now)).filter(({ isForeign }) => !isForeign)
  if (orphans.length <= most) return orphans
  throw new Error(
    `${orphans.length} files of the storage have no row: is this the right database? ` +
      'Nothing was removed; see ops audit-storage and ops sweep-storage',
  )
}
