/** Takes a stream into a temporary file: hashed and counted on the way, cut off at the limit, never held in memory. */
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

export type Received = {
  path: string
  sha256: Buffer
  size: number
  /** All of it has reached the disk, not only the memory before it. Awaited by whoever promises to keep it. */
  onDisk: Promise<void>
  /** Also after it was kept: then there is nothing left to do. */
  discard: () => Promise<void>
}

/** More came than may. */
export class TooLarge extends Error {}

/** Pieces of the network are small; the disk likes them gathered. */
const writeSize = 256 * 1024

export async function receive(stream: Readable, folder: string, limit: number): Promise<Received> {
  const path = join(folder, randomUUID())
  const discard = () => unlink(path).catch(ignoreMissing)
  const file = await open(path, 'wx', 0o600)
  try {
    const { sha256, size } = await pour(stream, file, limit)
    // The disk takes its time; meanwhile the file can be looked into.
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
  // The disk writes one handful while the network brings the next.
  let writing: Promise<unknown> = Promise.resolve()
  const write = async () => {
    const handful = gathered
    gathered = []
    gatheredSize = 0
    await writing
    writing = file.writev(handful)
    // Awaited by the next handful; a failure must not count as unhandled until then.
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
