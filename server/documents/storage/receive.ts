/** Writes a stream to a temporary file, hashing and measuring it; stops at the limit. */
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { StorageError } from './storage-error.ts'

export type Received = {
  path: string
  sha256: Buffer
  size: number
  /** Resolves when all bytes are on the disk rather than in its cache. */
  onDisk: Promise<void>
  /** Does nothing if the file has been stored. */
  discard: () => Promise<void>
}

export type ReceiveOptions = {
  /**
   * After a failure the rest of the stream is read and dropped: a browser that is still sending does not see a response.
   * Otherwise the stream is destroyed.
   */
  isDrained?: boolean
  /** For tests: simulates a disk that fails. */
  openFile?: (path: string) => Promise<FileHandle>
}

/** The stream is longer than the limit. */
export class TooLarge extends Error {}

/** Chunks of the network are small, so they are written together. */
const writeSize = 256 * 1024

const openNew = (path: string) => open(path, 'wx', 0o600)

/** Fails with `StorageError` if the disk fails, and with the error of the stream if that breaks. */
export async function receive(
  stream: Readable,
  folder: string,
  limit: number,
  { isDrained = false, openFile = openNew }: ReceiveOptions = {},
): Promise<Received> {
  try {
    return await receiveInto(join(folder, randomUUID()), stream, limit, openFile)
  } catch (error) {
    if (isDrained) await drop(stream, limit)
    else stream.destroy()
    throw error
  }
}

async function receiveInto(
  path: string,
  stream: Readable,
  limit: number,
  openFile: NonNullable<ReceiveOptions['openFile']>,
): Promise<Received> {
  const discard = () => unlink(path).catch(ignoreMissing)
  const file = await ofDisk(openFile(path))
  try {
    const { sha256, size } = await pour(stream, file, limit)
    // Not awaited here: the file can be checked in the meantime.
    const onDisk = settle(file)
    onDisk.catch(() => {}) // an awaiting caller still gets the error; for a discarded file it does not matter
    return { path, sha256, size, onDisk, discard }
  } catch (error) {
    // The cause is already known; failing to close or delete the file adds nothing.
    await file.close().catch(() => {})
    await discard().catch(() => {})
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
    writing = ofDisk(writeAll(file, handful))
    // Awaited with the next batch; until then a failure must not count as unhandled.
    writing.catch(() => {})
  }
  for await (const piece of piecesOf(stream)) {
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

/** Leaves the stream open when the loop ends: destroying a request would also destroy its response. */
function piecesOf(stream: Readable): AsyncIterable<Buffer> {
  return stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** A disk that is nearly full writes less than it was given, without an error. */
async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  const wanted = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await file.writev(pieces)
  if (bytesWritten === wanted) return
  const rest = Buffer.concat(pieces).subarray(bytesWritten)
  for (let at = 0; at < rest.length;) at += (await file.write(rest, at)).bytesWritten
}

async function ofDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StorageError('a file could not be written', { cause: error })
  }
}

/** Reads and drops the rest of the stream, up to a limit: a sender that never ends is not waited for. */
async function drop(stream: Readable, atMost: number): Promise<void> {
  let size = 0
  try {
    for await (const piece of piecesOf(stream)) {
      size += piece.length
      if (size > atMost) return
    }
  } catch {
    // The sender has gone, so nobody is waiting for a response.
  }
}

export function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
