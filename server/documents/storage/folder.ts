/** Stores files in a folder. A file appears under its name only when all its bytes are on the disk. */
import { access, link, mkdir, open, opendir, stat, statfs, unlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { ignoreMissing, receive } from './receive.ts'
import { StorageError, type Storage, type StoredFile } from './storage.ts'
import { watched, type OnStorageFailure } from './watched.ts'

export async function folderStorage(folder: string, onFailure?: OnStorageFailure): Promise<Storage> {
  const incoming = join(folder, 'incoming')
  const pathOf = (key: string) => join(folder, 'kept', key)
  await mkdir(incoming, { recursive: true })
  return watched(
    {
      incoming,
      receive: (stream, limit, options) => receive(stream, incoming, limit, options),
      async keep(key, received) {
        const path = pathOf(key)
        try {
          await received.onDisk
          await mkdir(dirname(path), { recursive: true })
          // Unlike a rename, a link never replaces an existing file.
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
      remove: (key) =>
        unlink(pathOf(key))
          .catch(ignoreMissing)
          .catch((error: unknown) => {
            throw new StorageError('a file could not be removed', { cause: error })
          }),
      list: () => filesIn(join(folder, 'kept')),
      isEmpty: () => hasNoFiles(join(folder, 'kept')),
      async freeBytes() {
        const { bavail, bsize } = await statfs(folder)
        return bavail * bsize
      },
    },
    onFailure,
  )
}

async function* filesIn(folder: string): AsyncGenerator<StoredFile> {
  if (!(await isThere(folder))) return
  for await (const entry of await opendir(folder, { recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(ignoreMissing)
    if (found) yield { key: relative(folder, path), bytes: found.size, storedAt: found.mtime }
  }
}

/** Whether there is no file; removed files leave empty folders behind. */
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

/** Makes the entry of the folder survive a power cut. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
