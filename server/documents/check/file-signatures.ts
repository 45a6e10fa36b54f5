/** Recognises formats by their first bytes and by the end of a zip. */
import type { FileHandle } from 'node:fs/promises'

export async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length)
  const { bytesRead } = await file.read(bytes, 0, length, position)
  return bytes.subarray(0, bytesRead)
}

const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const endSize = 22
const longestComment = 0xffff

/** Zip readers start with the last record, whose comment must reach the end of the file. */
export async function endsAsZip(file: FileHandle, size: number): Promise<boolean> {
  const length = Math.min(size, endSize + longestComment)
  const tail = await readAt(file, size - length, length)
  for (let at = tail.lastIndexOf(endOfZip); at >= 0; at = tail.lastIndexOf(endOfZip, at - 1)) {
    if (at + endSize <= tail.length && at + endSize + tail.readUInt16LE(at + 20) === tail.length) return true
    if (at === 0) break
  }
  return false
}

export const zipBeginning = Buffer.from('PK\x03\x04', 'latin1')
/** The container of old office formats, and of encrypted new ones. */
export const oleBeginning = Buffer.from('d0cf11e0a1b11ae1', 'hex')
