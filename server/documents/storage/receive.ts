/** Writes a stream to a temporary file, hashing and measuring it; stops at the limit. */
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export type Received = {
  path: string
  sha256: Buffer
  size: number
  /** Resolves when all bytes are on the disk rather than in its cache. */
  onDisk: Promise<void>
  /** Does nothing if the file has been stored. */
  discard: () => Promise<void>
}

/** The stream is longer than the limit. */
export class TooLarge extends Error {}

/** Chunks of the network are small, so they are written together. */
const writeSize = 256 * 1024

export async function receive(stream: Readable, folder: string, limit: number): Promise<Received> {
  const path = join(folder, randomUUID())
  const discard = () => unlink(path).catch(ignoreMissing)
  const file = await open(path, 'wx', 0o600)
  try {
    const { sha256, size } = await pour(stream, file, limit)
    // Not awaited here: the file can be checked in the meantime.
    const onDisk = settle(file)
    onDisk.catch(() => {}) // whoever awaits it is told; a file that is thrown away concerns nobody
    return { path, sha256, size, onDisk, discard }
  } catch (error) {
    await file.close()
    await discard()
    throw error
  }
}

async function settle(file: FileHandle): Promise<void> {
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

async function pour(
  stream: Readable,
  file: FileHandle,
  limit: number,
): Promise<{ sha256: Buffer; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  let gathered: Buffer[] = []
  let gatheredSize = 0
  // One batch is written while the next is received.
  let writing: Promise<unknown> = Promise.resolve()
  const write = async () => {
    const handful = gathered
    gathered = []
    gatheredSize = 0
    await writing
    writing = file.writev(handful)
    // Awaited with the next batch; until then a failure must not count as unhandled.
    writing.catch(() => {})
  }
  for await (const piece of stream as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > limit) {
      await writing
      throw new TooLarge()
    }
    hash.update(piece)
    gathered.push(piece)
    gatheredSize += piece.length
    if (gatheredSize >= writeSize) await write()
  }
  if (gatheredSize > 0) await write()
  await writing
  return { sha256: hash.digest(), size }
}

export function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
