/** Removes the bytes of deleted documents, and uploads that were never completed. */
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isForeignKeyViolation, type Database } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { findReleasedFiles, removeFile, tryLockFiles, unreleaseFile } from './queries.ts'
import { ignoreMissing } from './storage/receive.ts'
import { keyOf, type Storage } from './storage/storage.ts'

const batch = 500

export async function sweepFiles(database: Database, storage: Storage, now: Date): Promise<void> {
  const before = new Date(now.getTime() - day)
  const released = await findReleasedFiles(database.db, before, batch)
  for (const { id, organizationId } of released) {
    // The row is removed first: a row without bytes would be a document that cannot be opened.
    const result = await removeRow(database, id)
    if (result === 'backup') break // A backup is copying files; the next sweep goes on.
    if (result === 'removed') await storage.remove(keyOf(organizationId, id))
  }
  await sweepIncoming(storage.incoming, before)
}

/** Removes the row of a file; one that something still refers to is no longer marked as released. */
async function removeRow(database: Database, id: string): Promise<'removed' | 'in-use' | 'backup'> {
  try {
    return await database.write(async (tx) => {
      if (!(await tryLockFiles(tx))) return 'backup'
      await removeFile(tx, id)
      return 'removed'
    })
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await database.write((tx) => unreleaseFile(tx, id))
    return 'in-use'
  }
}

async function sweepIncoming(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const isOld = await stat(path).then(
      (file) => file.mtime < before,
      () => false,
    )
    if (isOld) await unlink(path).catch(ignoreMissing)
  }
}
