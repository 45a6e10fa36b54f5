/** Files in a folder: the name appears when all the bytes are on the disk, and not before. */
import { access, link, mkdir, open, opendir, statfs, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ignoreMissing } from './receive.ts'
import { StorageError, type Storage } from './storage.ts'

export async function folderStorage(folder: string): Promise<Storage> {
  const incoming = join(folder, 'incoming')
  const pathOf = (key: string) => join(folder, 'kept', key)
  await mkdir(incoming, { recursive: true })
  return {
    incoming,
    async keep(key, received) {
      const path = pathOf(key)
      try {
        await received.onDisk
        await mkdir(dirname(path), { recursive: true })
        // A link refuses to replace what is there, as a rename would not.
        await link(received.path, path)
        await sync(dirname(path))
      } catch (error) {
        throw new StorageError('a file could not be kept', { cause: error })
      }
      await received.discard()
    },
    async borrow(key) {
      const path = pathOf(key)
      return (await isThere(path)) ? { path, release: async () => {} } : null
    },
    exists: (key) => isThere(pathOf(key)),
    remove: (key) => unlink(pathOf(key)).catch(ignoreMissing),
    isEmpty: () => hasNoFiles(join(folder, 'kept')),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}

/** Folders without anything in them are what removed files leave. */
async function hasNoFiles(folder: string): Promise<boolean> {
  if (!(await isThere(folder))) return true
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isDirectory()) return false
  }
  return true
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path)
    return true
  } catch {
    return false
  }
}

/** The name in its folder outlives a power cut too. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
