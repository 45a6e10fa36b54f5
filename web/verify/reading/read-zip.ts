/**
 * Reads an untrusted archive. Its central directory is only used to find the data: sizes are counted while unpacking,
 * and nothing is unpacked before it is needed.
 */
import { isSafeName } from '@kelisim/signature/bundle/bundle.ts'
import { bytesOf, piecesOf } from './input-file.ts'

/** Shown to the person: the file is not an archive, is damaged, or was made to exhaust resources. */
export class ZipError extends Error {
  readonly reason: 'damaged' | 'too-much' | 'unsafe-name'
  constructor(reason: ZipError['reason']) {
    super(reason)
    this.name = 'ZipError'
    this.reason = reason
  }
}

export type ZipEntry = { name: string; size: number; pieces: () => AsyncIterable<Uint8Array<ArrayBuffer>> }

/**
 * What the browser of a visitor can bear: an archive is held unpacked. A few kilobytes that unpack to hundreds of megabytes
 * are an attack; documents and lists of revoked certificates are packed to a tenth at best.
 */
export const zipLimits = {
  entries: 5000,
  bytes: 512 * 1024 ** 2,
  wholeBytes: 256 * 1024 ** 2,
  ratio: 100,
  /** Below this the ratio does not matter. */
  harmlessBytes: 32 * 1024 ** 2,
}

const endSize = 22
const longestComment = 0xffff
const signs = { end: 0x06054b50, listed: 0x02014b50, entry: 0x04034b50 }
/** This value means the Zip64 format, which is not needed here and is refused. */
const inLongForm = 0xffffffff

export async function readZip(zip: Blob, limits = zipLimits): Promise<ZipEntry[]> {
  const { list, count } = await listOf(zip)
  if (count > limits.entries) throw new ZipError('too-much')
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let at = 0
  let total = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > list.byteLength || list.getUint32(at, true) !== signs.listed) throw new ZipError('damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
      list.getUint16(at + place, true),
    ) as [number, number, number]
    const end = at + 46 + nameLength
    if (end > list.byteLength) throw new ZipError('damaged')
    const entry = {
      isEncrypted: (list.getUint16(at + 8, true) & 1) === 1,
      method: list.getUint16(at + 10, true),
      packed: list.getUint32(at + 20, true),
      size: list.getUint32(at + 24, true),
      from: list.getUint32(at + 42, true),
    }
    if ([entry.packed, entry.size, entry.from].includes(inLongForm)) throw new ZipError('too-much')
    const name = nameIn(new Uint8Array(list.buffer, list.byteOffset + at + 46, nameLength))
    at = end + extraLength + commentLength
    if (name.endsWith('/')) continue
    // On file systems that ignore case one file would replace the other.
    const folded = name.normalize('NFC').toLowerCase()
    if (!isSafeName(name) || names.has(folded)) throw new ZipError('unsafe-name')
    names.add(folded)
    total += entry.size
    if (total > limits.bytes || total > limits.harmlessBytes + limits.ratio * zip.size)
      throw new ZipError('too-much')
    if (entry.isEncrypted || (entry.method !== 0 && entry.method !== 8)) throw new ZipError('damaged')
    entries.push({ name, size: entry.size, pieces: () => piecesIn(zip, entry) })
  }
  return entries
}

/** Unpacked into memory, so that it can be read repeatedly. */
export async function unpacked(
  { size, pieces }: ZipEntry,
  most: number = zipLimits.wholeBytes,
): Promise<Blob> {
  if (size > most) throw new ZipError('too-much')
  const held: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces()) held.push(piece)
  return new Blob(held)
}

async function listOf(zip: Blob): Promise<{ list: DataView; count: number }> {
  const tailFrom = Math.max(0, zip.size - endSize - longestComment)
  const tail = await viewOf(zip.slice(tailFrom))
  for (let at = tail.byteLength - endSize; at >= 0; at--) {
    if (tail.getUint32(at, true) !== signs.end) continue
    // Only its comment may follow, or the signature of the record is part of other data.
    if (at + endSize + tail.getUint16(at + 20, true) !== tail.byteLength) continue
    const [count, size, from] = [
      tail.getUint16(at + 10, true),
      tail.getUint32(at + 12, true),
      tail.getUint32(at + 16, true),
    ]
    const isOneDisk = tail.getUint16(at + 4, true) === 0 && tail.getUint16(at + 8, true) === count
    if (!isOneDisk || from + size > tailFrom + at) throw new ZipError('damaged')
    return { list: await viewOf(zip.slice(from, from + size)), count }
  }
  throw new ZipError('damaged')
}

async function viewOf(blob: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView((await bytesOf(blob)).buffer)
}

type Place = { from: number; packed: number; size: number; method: number }

async function* piecesIn(
  zip: Blob,
  { from, packed, size, method }: Place,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const head = await viewOf(zip.slice(from, from + 30))
  if (head.byteLength < 30 || head.getUint32(0, true) !== signs.entry) throw new ZipError('damaged')
  const begin = from + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  if (begin + packed > zip.size) throw new ZipError('damaged')
  const bytes = zip.slice(begin, begin + packed)
  let come = 0
  try {
    for await (const piece of method === 0 ? piecesOf(bytes) : inflated(bytes)) {
      come += piece.length
      if (come > size) throw new ZipError('damaged')
      yield piece
    }
  } catch (error) {
    if (error instanceof ZipError) throw error
    throw new ZipError('damaged')
  }
  if (come !== size) throw new ZipError('damaged')
}

async function* inflated(bytes: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = bytes.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Names that are not UTF-8 are in a legacy encoding: shown as well as possible. */
function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('ibm866').decode(bytes)
  }
}
