/**
 * Carries out destruction acts: a file is destroyed when all its keepers have ordered that and none has a hold on it.
 * A chore repeats this, because the order of the last keeper or the end of a hold may come later, and a process may
 * stop halfway.
 */
import type { Database } from '@kelisim/db/db.ts'
import { mayGo } from '@kelisim/domain/retention/destruction.ts'
import { tryLockFiles } from '../documents/queries.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import {
  destroyFiles,
  findFilesToRemove,
  findKeepers,
  findOrdered,
  lockFileOf,
  saveRemoved,
} from './destruction-queries.ts'

const batch = 500

export async function destroyOrdered(database: Database, storage: Storage, now: Date): Promise<void> {
  for (let after: string | null = null; ;) {
    const ordered: string[] = await findOrdered(database.db, after, batch)
    const keepers = await findKeepers(database.db, ordered)
    for (const requestId of ordered) {
      if (mayGo(keepers.get(requestId) ?? [])) await destroy(database, requestId, now)
    }
    if (ordered.length < batch) break
    after = ordered.at(-1)!
  }
  await removeDestroyed(database, storage, now)
}

/** Checked again under the lock: the document may have got a hold, a new request or a termination meanwhile. */
async function destroy({ write }: Database, requestId: string, now: Date): Promise<void> {
  await write(async (tx) => {
    await lockFileOf(tx, requestId)
    const keepers = await findKeepers(tx, [requestId])
    if (mayGo(keepers.get(requestId) ?? [])) await destroyFiles(tx, requestId, now)
  })
}

/** Removes the bytes, but not while a backup copies files: it would miss a file that its rows still have. */
async function removeDestroyed({ db, write }: Database, storage: Storage, now: Date): Promise<void> {
  for (const { id, organizationId } of await findFilesToRemove(db, batch)) {
    const isFree = await write(async (tx) => {
      if (!(await tryLockFiles(tx))) return false
      await storage.remove(keyOf(organizationId, id))
      await saveRemoved(tx, id, now)
      return true
    })
    if (!isFree) return
  }
}
