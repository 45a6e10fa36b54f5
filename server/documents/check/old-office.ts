/**
 * Checks that a file is a doc or xls (office formats from before 2007) without password, macros and active fields.
 * Both are compound files; only the directory and the main stream are read.
 */
import type { FileHandle } from 'node:fs/promises'
import { faultOfField } from './active-content.ts'
import type { CheckResult } from './check-job.ts'
import { endsAsZip, oleBeginning, readAt } from './file-signatures.ts'

/** The main stream of each format. */
const mainStreams = { doc: ['WordDocument'], xls: ['Workbook', 'Book'] }

export async function checkOldOffice(
  file: FileHandle,
  size: number,
  format: 'doc' | 'xls',
): Promise<CheckResult> {
  const bytes = await readAt(file, 0, size)
  if (!bytes.subarray(0, 8).equals(oleBeginning)) return 'mismatch'
  if (bytes.subarray(0, 1024).includes('%PDF-') || (await endsAsZip(file, size))) return 'two-formats'
  try {
    const container = openContainer(bytes)
    const names = container.entries.map(({ name }) => name.toLowerCase())
    if (names.includes('encryptedpackage')) return 'encrypted'
    // Macros are refused in any folder, because an embedded sheet may have macros of its own.
    if (names.some((name) => ['macros', '_vba_project_cur', 'vba', '_vba_project'].includes(name))) {
      return 'macros'
    }
    const main = container.top.find(({ name, isStream }) => isStream && mainStreams[format].includes(name))
    if (!main) return 'mismatch'
    return format === 'doc' ? faultOfText(container.read(main)) : faultOfSheets(container.read(main))
  } catch {
    return 'broken'
  }
}

function faultOfText(stream: Buffer): CheckResult {
  const isWord = stream.readUInt16LE(0) === 0xa5ec
  const isEncrypted = (stream.readUInt16LE(0x0a) & 0x0100) !== 0
  if (!isWord) return 'mismatch'
  return isEncrypted ? 'encrypted' : faultOfFields(stream)
}

/** Marks in the text of a doc: where a field begins, where its result begins, where it ends. */
const fieldBegin = 0x13
const fieldMarks = /[\x13-\x15]/
const longestField = 1024

/** Looks for active fields; the text of a doc has one or two bytes a character. */
function faultOfFields(stream: Buffer): CheckResult {
  for (let at = stream.indexOf(fieldBegin); at >= 0; at = stream.indexOf(fieldBegin, at + 1)) {
    const text = stream
      .subarray(at + 1, at + 1 + longestField)
      .toString('latin1')
      .replaceAll('\0', '')
    const end = text.search(fieldMarks)
    const isOpen = text.charCodeAt(end) === fieldBegin
    const fault = faultOfField(end < 0 ? text : text.slice(0, end), isOpen)
    if (fault !== null) return fault
  }
  return null
}

const records = { begin: 0x0809, end: 0x000a, password: 0x002f, sheet: 0x0085 }
/** Types of sheets: Excel 4.0 macros, and Visual Basic modules. */
const macroSheets = [0x01, 0x06]

/** Workbooks are a sequence of records: kind, length, contents. Records of the whole workbook come first. */
function faultOfSheets(stream: Buffer): CheckResult {
  if (stream.readUInt16LE(0) !== records.begin) return 'mismatch'
  for (let at = 0; at + 4 <= stream.length;) {
    const kind = stream.readUInt16LE(at)
    const length = stream.readUInt16LE(at + 2)
    if (kind === records.password) return 'encrypted'
    if (kind === records.sheet && macroSheets.includes(stream.readUInt8(at + 4 + 5))) return 'macros'
    if (kind === records.end) return null
    at += 4 + length
  }
  return 'broken'
}

type Entry = {
  name: string
  isStream: boolean
  start: number
  size: number
  next: [number, number]
  child: number
}

const endOfChain = 0xfffffffe
const none = 0xffffffff
const shortSector = 64
/** Smaller streams are stored in short sectors. */
const cutoff = 4096

/** A compound file as in [MS-CFB]: sectors, allocation table, directory. Throws if it is malformed. */
function openContainer(bytes: Buffer) {
  const sectorShift = bytes.readUInt16LE(30)
  if (bytes.readUInt16LE(28) !== 0xfffe || (sectorShift !== 9 && sectorShift !== 12))
    throw new Error('header')
  const sectorSize = 1 << sectorShift
  const sector = (number: number) => {
    const at = (number + 1) * sectorSize
    if (at >= bytes.length) throw new Error('sector')
    return bytes.subarray(at, at + sectorSize)
  }
  const numbersIn = (part: Buffer) =>
    Array.from({ length: Math.floor(part.length / 4) }, (_, i) => part.readUInt32LE(i * 4))

  // The allocation table is listed in the header and then in sectors of its own. Malicious files repeat one place a million
  // times, so no more is read than the file can need.
  const sectors = Math.ceil(bytes.length / sectorSize)
  const needed = Math.ceil(sectors / (sectorSize / 4))
  const isPlace = (place: number) => place < endOfChain
  const places = numbersIn(bytes.subarray(76, 512)).filter(isPlace)
  let left = sectors
  for (let next = bytes.readUInt32LE(68); isPlace(next) && places.length < needed; left--) {
    if (left < 0) throw new Error('circle')
    const listed = numbersIn(sector(next))
    next = listed.pop() ?? none
    places.push(...listed.filter(isPlace))
  }
  const chains = places.slice(0, needed).flatMap((place) => numbersIn(sector(place)))
  const chained = (
    start: number,
    table: readonly number[],
    of: (number: number) => Buffer,
    most = table.length,
  ) => {
    const parts: Buffer[] = []
    for (let at = start; at < endOfChain; at = table[at] ?? none) {
      if (parts.length > most) throw new Error('circle')
      parts.push(of(at))
    }
    return Buffer.concat(parts)
  }

  const folder = chained(bytes.readUInt32LE(48), chains, sector)
  const all = Array.from({ length: folder.length / 128 }, (_, i) => entryOf(folder.subarray(i * 128)))
  const [root] = all
  if (!root || folder.readUInt8(66) !== 5) throw new Error('root')
  const shortChains = numbersIn(chained(bytes.readUInt32LE(60), chains, sector))
  if (bytes.readUInt32LE(56) !== cutoff) throw new Error('cutoff')
  return {
    entries: all.filter(({ name }) => name !== ''),
    top: siblings(all, root.child),
    read({ start, size }: Entry): Buffer {
      if (size >= cutoff) return chained(start, chains, sector).subarray(0, size)
      const short = chained(root.start, chains, sector)
      const piece = (number: number) => short.subarray(number * shortSector, (number + 1) * shortSector)
      return chained(start, shortChains, piece, cutoff / shortSector).subarray(0, size)
    },
  }
}

function entryOf(row: Buffer): Entry {
  const length = Math.max(0, Math.min(row.readUInt16LE(64), 64) - 2)
  return {
    name: row.toString('utf16le', 0, length),
    isStream: row.readUInt8(66) === 2,
    start: row.readUInt32LE(116),
    size: row.readUInt32LE(120),
    next: [row.readUInt32LE(68), row.readUInt32LE(72)],
    child: row.readUInt32LE(76),
  }
}

/** The entries of one folder form a tree. */
function siblings(all: readonly Entry[], first: number): Entry[] {
  const found = new Set<number>()
  const waiting = [first]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entry = all[at]
    if (!entry || found.has(at)) continue
    found.add(at)
    waiting.push(...entry.next)
  }
  return [...found].map((at) => all[at]!)
}
