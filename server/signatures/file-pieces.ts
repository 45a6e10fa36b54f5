/** Reads files synchronously in a worker, which may block: without streams, and without holding a whole document. */
import { open } from 'node:fs/promises'
import { closeSync, openSync, readFileSync, readSync } from 'node:fs'

const pieceLength = 1024 * 1024

/** Each piece is valid until the next one is read. */
export function* filePieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, 'r')
  const buffer = new Uint8Array(pieceLength)
  try {
    for (;;) {
      const length = readSync(file, buffer, 0, pieceLength, null)
      if (length === 0) return
      yield buffer.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

export function readWhole(path: string): Uint8Array {
  return readFileSync(path)
}

/** The first bytes of a file and its length; asynchronous. */
export async function readStart(path: string, length: number): Promise<{ start: Uint8Array; size: number }> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0)
  const { size } = await file.stat()
  return { start: buffer.subarray(0, bytesRead), size }
}
