/** Takes away what nobody asks for any more: bytes of deleted documents, and what never arrived whole. */
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@kelisim/db/db.ts'
import { isForeignKeyViolation } from '@kelisim/db/db.ts'
import { ignoreMissing } from './storage/receive.ts'
import { keyOf, type Storage } from './storage/storage.ts'

const day = 24 * 60 * 60 * 1000
const atOnce = 500

export async function sweepFiles(database: Database, storage: Storage, now: Date): Promise<void> {
  const before = new Date(now.getTime() - day)
  const released = await database.db
    .selectFrom('files')
    .select(['id', 'organizationId'])
    .where('releasedAt', '<', before)
    .limit(atOnce)
    .execute()
  for (const { id, organizationId } of released) {
    // The row first: a row without bytes would be a document that cannot be opened, bytes without a row are only waste.
    if (await removeRow(database, id)) await storage.remove(keyOf(organizationId, id))
  }
  await sweepIncoming(storage.incoming, before)
}

/** False if something still refers to it: then it is kept as if it had never been released. */
async function removeRow(database: Database, id: string): Promise<boolean> {
  try {
    await database.write((tx) => tx.deleteFrom('files').where('id', '=', id).execute())
    return true
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await database.write((tx) =>
      tx.updateTable('files').set({ releasedAt: null }).where('id', '=', id).execute(),
    )
    return false
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
