/**
 * Reads an untrusted archive. Its central directory is only used to find the data: sizes are counted while unpacking,
 * and nothing is unpacked before it is needed. Programs that read an archive from its beginning must find the same
 * files as those that read the directory: nothing else may stand between them (docs/decisions/045-containers.md).
 */
import { isSame } from '../asn1/values.ts'
import { isSafeName } from '../bundle/bundle.ts'
import { bytesOf, ContainerError, piecesOf } from './input-file.ts'

export type ZipEntry = { name: string; size: number; pieces: () => AsyncIterable<Uint8Array<ArrayBuffer>> }

/**
 * What a browser can hold, because an archive is unpacked into memory. A few kilobytes that unpack to hundreds of
 * megabytes are an attack; documents and CRLs are compressed to a tenth at best.
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
  const { places } = await directoryOf(zip, limits)
  const entries: ZipEntry[] = []
  const names = new Set<string>()
  let total = 0
  for (const place of places) {
    const { name, size, packed, from } = place
    if ([packed, size, from].includes(inLongForm)) throw new ContainerError('too-much')
    if (name.endsWith('/')) continue
    // On file systems that ignore case, one of two such files would replace the other.
    const folded = name.normalize('NFC').toLowerCase()
    if (!isSafeName(name) || names.has(folded)) throw new ContainerError('unsafe-name')
    names.add(folded)
    total += size
    if (total > limits.bytes || total > limits.harmlessBytes + limits.ratio * zip.size)
      throw new ContainerError('too-much')
    if (place.isEncrypted || (place.method !== 0 && place.method !== 8)) throw new ContainerError('damaged')
    entries.push({ name, size, pieces: () => piecesIn(zip, place) })
  }
  return entries
}

/**
 * The longest data descriptor, which may follow the data of a file: its length and checksum if they were not known
 * before.
 */
const longestDescriptor = 24

/** Refuses bytes that the directory does not name: a file could be hidden in them that other programs show. */
export async function refuseHidden(zip: Blob, limits = zipLimits): Promise<void> {
  const { places, from: directory, isWhole } = await directoryOf(zip, limits)
  let expected = 0
  for (const place of places.toSorted((one, other) => one.from - other.from)) {
    const gap = expected === 0 ? 0 : longestDescriptor
    if (place.from < expected || place.from > expected + gap) throw new ContainerError('damaged')
    expected = (await dataOf(zip, place)) + place.packed
  }
  const isBehind = directory >= expected && directory <= expected + longestDescriptor
  if (!isWhole || !isBehind) throw new ContainerError('damaged')
}

type EntryPlace = {
  name: string
  nameBytes: Uint8Array
  isEncrypted: boolean
  method: number
  packed: number
  size: number
  from: number
}

type Directory = {
  places: EntryPlace[]
  from: number
  /** The directory consists of these entries only and ends directly before the end record of the archive. */
  isWhole: boolean
}

async function directoryOf(zip: Blob, limits: typeof zipLimits): Promise<Directory> {
  const { list, count, from, isAtEnd } = await listOf(zip)
  if (count > limits.entries) throw new ContainerError('too-much')
  const places: EntryPlace[] = []
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > list.byteLength || list.getUint32(at, true) !== signs.listed)
      throw new ContainerError('damaged')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) =>
      list.getUint16(at + place, true),
    ) as [number, number, number]
    const end = at + 46 + nameLength
    if (end > list.byteLength) throw new ContainerError('damaged')
    const nameBytes = new Uint8Array(list.buffer, list.byteOffset + at + 46, nameLength)
    places.push({
      name: nameIn(nameBytes),
      nameBytes,
      isEncrypted: (list.getUint16(at + 8, true) & 1) === 1,
      method: list.getUint16(at + 10, true),
      packed: list.getUint32(at + 20, true),
      size: list.getUint32(at + 24, true),
      from: list.getUint32(at + 42, true),
    })
    at = end + extraLength + commentLength
  }
  return { places, from, isWhole: isAtEnd && at === list.byteLength }
}

/** Unpacked into memory, so that it can be read repeatedly. */
export async function unpacked(
  { size, pieces }: ZipEntry,
  most: number = zipLimits.wholeBytes,
): Promise<Blob> {
  if (size > most) throw new ContainerError('too-much')
  const held: Uint8Array<ArrayBuffer>[] = []
  for await (const piece of pieces()) held.push(piece)
  return new Blob(held)
}

type DirectoryList = { list: DataView; count: number; from: number; isAtEnd: boolean }

async function listOf(zip: Blob): Promise<DirectoryList> {
  const tailFrom = Math.max(0, zip.size - endSize - longestComment)
  const tail = await viewOf(zip.slice(tailFrom))
  for (let at = tail.byteLength - endSize; at >= 0; at--) {
    if (tail.getUint32(at, true) !== signs.end) continue
    // Only the comment of the archive may follow; otherwise the signature of the record is part of other data.
    if (at + endSize + tail.getUint16(at + 20, true) !== tail.byteLength) continue
    const [count, size, from] = [
      tail.getUint16(at + 10, true),
      tail.getUint32(at + 12, true),
      tail.getUint32(at + 16, true),
    ]
    const isOneDisk = tail.getUint16(at + 4, true) === 0 && tail.getUint16(at + 8, true) === count
    if (!isOneDisk || from + size > tailFrom + at) throw new ContainerError('damaged')
    const isAtEnd = from + size === tailFrom + at
    return { list: await viewOf(zip.slice(from, from + size)), count, from, isAtEnd }
  }
  throw new ContainerError('damaged')
}

async function viewOf(blob: Blob): Promise<DataView<ArrayBuffer>> {
  return new DataView((await bytesOf(blob)).buffer)
}

/** Where the data of an entry begins. Its local header must match the entry in the directory. */
async function dataOf(zip: Blob, { from, packed, method, nameBytes }: EntryPlace): Promise<number> {
  const head = await viewOf(zip.slice(from, from + 30 + nameBytes.length))
  const isEntry = head.byteLength >= 30 && head.getUint32(0, true) === signs.entry
  if (!isEntry || head.getUint16(8, true) !== method) throw new ContainerError('damaged')
  const nameLength = head.getUint16(26, true)
  const name = new Uint8Array(head.buffer, 30)
  if (nameLength !== nameBytes.length || !isSame(name, nameBytes)) throw new ContainerError('damaged')
  const begin = from + 30 + nameLength + head.getUint16(28, true)
  if (begin + packed > zip.size) throw new ContainerError('damaged')
  return begin
}

async function* piecesIn(zip: Blob, place: EntryPlace): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { packed, size, method } = place
  const begin = await dataOf(zip, place)
  const bytes = zip.slice(begin, begin + packed)
  let come = 0
  try {
    for await (const piece of method === 0 ? piecesOf(bytes) : inflated(bytes)) {
      come += piece.length
      if (come > size) throw new ContainerError('damaged')
      yield piece
    }
  } catch (error) {
    if (error instanceof ContainerError) throw error
    throw new ContainerError('damaged')
  }
  if (come !== size) throw new ContainerError('damaged')
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

/** Names that are not UTF-8 are in a legacy encoding; the most likely one is assumed. */
function nameIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('ibm866').decode(bytes)
  }
}
