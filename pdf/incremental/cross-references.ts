/**
 * Finds the objects of a PDF like every reader: from the last cross-reference table back to the first. Nothing is
 * guessed: a wrong table makes the file `Damaged`, and then it is written again instead of being appended to.
 */
import { inflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFObjectParser,
  PDFRawStream,
} from '@cantoo/pdf-lib'

export type ObjectPlace = { at: number; generation: number } | { inStream: number; index: number } | 'free'

export type CrossReferences = {
  places: ReadonlyMap<number, ObjectPlace>
  trailer: PDFDict
  /** The offset of the last table, to which an appended one refers. */
  start: number
  /** Tables are streams since PDF 1.5; an appended one must be of the same kind. */
  areStreams: boolean
  /** The first unused object number. */
  size: number
}

export class Damaged extends Error {}

/** A file that is appended to every day for years has fewer. */
const mostTables = 4096
const mostObjects = 1_000_000
/** The largest uncompressed size of a table or an object stream. */
const largestUnpacked = 64 * 1024 * 1024

export function readCrossReferences(bytes: Buffer, context: PDFContext): CrossReferences {
  const start = lastStart(bytes)
  const places = new Map<number, ObjectPlace>()
  const seen = new Set<number>()
  let [first, size]: [Table | null, number] = [null, 0]
  for (let at: number | null = start; at !== null;) {
    if (seen.has(at) || seen.size === mostTables) throw new Damaged('Tables without end')
    seen.add(at)
    const table = readTable(bytes, at, context)
    first ??= table
    add(places, table.used)
    // A hybrid file for old and new readers: objects that are free for the old ones may be in a stream.
    const hidden = numberIn(table.trailer, 'XRefStm')
    if (hidden !== null) add(places, readTable(bytes, hidden, context).used)
    add(places, table.free)
    size = Math.max(size, numberIn(table.trailer, 'Size') ?? 0)
    at = numberIn(table.trailer, 'Prev')
  }
  const { trailer, isStream } = first!
  for (const number of places.keys()) size = Math.max(size, number + 1)
  refuseWrongPlaces(bytes, places)
  return { places, trailer, start, areStreams: isStream, size }
}

function add(places: Map<number, ObjectPlace>, newer: ReadonlyMap<number, ObjectPlace>): void {
  for (const [number, place] of newer) if (!places.has(number)) places.set(number, place)
  if (places.size > mostObjects) throw new Damaged('Too many objects')
}

function lastStart(bytes: Buffer): number {
  const at = bytes.lastIndexOf('startxref')
  const digits = /^startxref\s+(\d+)\s/.exec(text(bytes, at, 64))
  if (at < 0 || !digits) throw new Damaged('No beginning of the table')
  return Number(digits[1])
}

type Table = {
  used: Map<number, ObjectPlace>
  free: Map<number, ObjectPlace>
  trailer: PDFDict
  isStream: boolean
}

function readTable(bytes: Buffer, at: number, context: PDFContext): Table {
  if (at >= bytes.length) throw new Damaged('A table beyond the end')
  return /^xref\s/.test(text(bytes, at, 8)) ? plainTable(bytes, at, context) : streamTable(bytes, at, context)
}

function plainTable(bytes: Buffer, at: number, context: PDFContext): Table {
  const end = bytes.indexOf('trailer', at)
  if (end < 0) throw new Damaged('A table without a trailer')
  const words = bytes
    .toString('latin1', at + 4, end)
    .split(/\s+/)
    .filter(Boolean)
  const [used, free] = [new Map<number, ObjectPlace>(), new Map<number, ObjectPlace>()]
  for (let i = 0; i < words.length;) {
    const [first, count] = [whole(words[i++]), whole(words[i++])]
    for (let number = first; number < first + count; number++) {
      const [offset, generation, kind] = [whole(words[i++]), whole(words[i++]), words[i++]]
      if (kind === 'n') used.set(number, { at: offset, generation })
      else if (kind === 'f') free.set(number, 'free')
      else throw new Damaged('Neither used nor free')
    }
  }
  const trailer = parsed(bytes, end + 7, context)
  if (!(trailer instanceof PDFDict)) throw new Damaged('Not a trailer')
  return { used, free, trailer, isStream: false }
}

function whole(word: string | undefined): number {
  if (word === undefined || !/^\d{1,10}$/.test(word)) throw new Damaged('Not a number')
  return Number(word)
}

function streamTable(bytes: Buffer, at: number, context: PDFContext): Table {
  const { object } = objectAt(bytes, at, context)
  if (!(object instanceof PDFRawStream)) throw new Damaged('Not a table')
  const trailer = object.dict
  const data = unpacked(object)
  const widths = numbersIn(trailer, 'W')
  const [kindWidth = 0, firstWidth = 0, secondWidth = 0] = widths
  const width = kindWidth + firstWidth + secondWidth
  if (widths.length !== 3 || width === 0 || firstWidth > 6 || secondWidth > 4)
    throw new Damaged('Not a table')
  const ranges = trailer.has(PDFName.of('Index'))
    ? numbersIn(trailer, 'Index')
    : [0, numberIn(trailer, 'Size') ?? 0]
  const [used, free] = [new Map<number, ObjectPlace>(), new Map<number, ObjectPlace>()]
  let row = 0
  const field = (offset: number, length: number, missing: number) =>
    length === 0 ? missing : data.readUIntBE(offset, length)
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    for (let number = ranges[i]!; number < ranges[i]! + ranges[i + 1]!; number++, row += width) {
      if (row + width > data.length) throw new Damaged('A table cut short')
      const kind = field(row, kindWidth, 1)
      const one = field(row + kindWidth, firstWidth, 0)
      const other = field(row + kindWidth + firstWidth, secondWidth, 0)
      if (kind === 0) free.set(number, 'free')
      else if (kind === 1) used.set(number, { at: one, generation: other })
      else if (kind === 2) used.set(number, { inStream: one, index: other })
    }
  }
  return { used, free, trailer, isStream: true }
}

/** Readers that miss one object search the whole file for all of them, and may find unintended ones. */
function refuseWrongPlaces(bytes: Buffer, places: ReadonlyMap<number, ObjectPlace>): void {
  for (const [number, place] of places) {
    if (place === 'free' || !('at' in place)) continue
    // Some writers give unused numbers the offset 0.
    if (place.at === 0) continue
    if (headAt(bytes, place.at)?.number !== number) throw new Damaged(`Object ${number} is elsewhere`)
  }
}

function headAt(bytes: Buffer, at: number): { number: number; length: number } | null {
  const head = /^\s*(\d+)\s+\d+\s+obj/.exec(text(bytes, at, 48))
  return head && { number: Number(head[1]), length: head[0].length }
}

export function objectAt(bytes: Buffer, at: number, context: PDFContext) {
  const head = headAt(bytes, at)
  if (!head) throw new Damaged('No object where one should be')
  return { number: head.number, object: parsed(bytes, at + head.length, context) }
}

export function parsed(bytes: Uint8Array, at: number, context: PDFContext) {
  try {
    return PDFObjectParser.forBytes(bytes.subarray(at), context).parseObject()
  } catch (error) {
    throw new Damaged('An object that cannot be read', { cause: error })
  }
}

/** The content of a structural stream; those are deflated or plain. */
export function unpacked({ dict, contents }: PDFRawStream): Buffer {
  const filter = single(dict.lookup(PDFName.of('Filter')))
  if (filter === undefined) return Buffer.from(contents)
  if (filter !== PDFName.of('FlateDecode')) throw new Damaged('Packed in a way that tables are not')
  const data = inflated(contents)
  const parameters = single(dict.lookup(PDFName.of('DecodeParms')))
  const predictor = parameters instanceof PDFDict ? (numberIn(parameters, 'Predictor') ?? 1) : 1
  if (!(parameters instanceof PDFDict) || predictor < 2) return data
  if (predictor < 10) throw new Damaged('Packed in a way that tables are not')
  return withoutPrediction(data, numberIn(parameters, 'Columns') ?? 1)
}

function single(value: unknown): unknown {
  return value instanceof PDFArray ? (value.size() === 1 ? value.lookup(0) : value) : value
}

function inflated(contents: Uint8Array): Buffer {
  try {
    return inflateSync(contents, { maxOutputLength: largestUnpacked })
  } catch (error) {
    throw new Damaged('A table that does not unpack', { cause: error })
  }
}

/** Rows with PNG prediction: each byte relative to its neighbours. */
function withoutPrediction(data: Buffer, columns: number): Buffer {
  const rows = Math.floor(data.length / (columns + 1))
  const plain = Buffer.alloc(rows * columns)
  for (let row = 0; row < rows; row++) {
    const kind = data[row * (columns + 1)]!
    if (kind > 4) throw new Damaged('No such prediction')
    for (let i = 0; i < columns; i++) {
      const at = row * columns + i
      const left = i > 0 ? plain[at - 1]! : 0
      const up = row > 0 ? plain[at - columns]! : 0
      const corner = i > 0 && row > 0 ? plain[at - columns - 1]! : 0
      plain[at] = data[row * (columns + 1) + 1 + i]! + predicted(kind, left, up, corner)
    }
  }
  return plain
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  if (kind === 0) return 0
  if (kind === 1) return left
  if (kind === 2) return up
  if (kind === 3) return (left + up) >> 1
  const estimate = left + up - corner
  const [fromLeft, fromUp, fromCorner] = [left, up, corner].map((value) => Math.abs(estimate - value))
  if (fromLeft! <= fromUp! && fromLeft! <= fromCorner!) return left
  return fromUp! <= fromCorner! ? up : corner
}

export function numberIn(dict: PDFDict, key: string): number | null {
  const value = dict.get(PDFName.of(key))
  return value instanceof PDFNumber ? value.asNumber() : null
}

function numbersIn(dict: PDFDict, key: string): number[] {
  const list = dict.lookup(PDFName.of(key))
  if (!(list instanceof PDFArray)) throw new Damaged('Not a row of numbers')
  return list.asArray().map((item) => {
    if (!(item instanceof PDFNumber)) throw new Damaged('Not a row of numbers')
    return item.asNumber()
  })
}

function text(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', Math.max(0, at), Math.max(0, at) + length)
}
