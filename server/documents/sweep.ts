/** Takes away what nobody asks for any more: bytes of deleted documents, and what never arrived whole. */
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isForeignKeyViolation, type Database } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { ignoreMissing } from './storage/receive.ts'
import { keyOf, type Storage } from './storage/storage.ts'

const atOnce = 500

/** Held in common by backups while they copy files, by the sweep alone while it removes one. Any fixed number of our own. */
export const filesLock = 5_700_259

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
    const outcome = await removeRow(database, id)
    if (outcome === 'backup') break // it names this file and copies it: there is another hour
    if (outcome === 'removed') await storage.remove(keyOf(organizationId, id))
  }
  await sweepIncoming(storage.incoming, before)
}

/** In use: something still refers to it, so it is kept as if it had never been released. */
async function removeRow(database: Database, id: string): Promise<'removed' | 'in-use' | 'backup'> {
  try {
    return await database.write(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${filesLock}) as free`.execute(tx)
      if (!rows[0]!.free) return 'backup'
      await tx.deleteFrom('files').where('id', '=', id).execute()
      return 'removed'
    })
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    await database.write((tx) =>
      tx.updateTable('files').set({ releasedAt: null }).where('id', '=', id).execute(),
    )
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
