/**
 * Finds every place of a file where a reader may begin to read an object, whatever its tables say: after each word
 * `obj`, also inside strings, comments and streams, after each `trailer` and after the end of each stream. Then the
 * streams that other objects are packed in (ISO 32000-1, 7.5.7) are unpacked in every way in which a reader may do
 * so: to each place where the stream may end, and decrypted if the file is encrypted.
 */
import type { Decrypt } from './pdf-decrypt.ts'
import { decodeHex, inflateSound, isNothing, undoPredictor, UnpacksTooLarge } from './pdf-filters.ts'
import { readObject, type Facts, type ObjectEvents, type Role } from './pdf-rules.ts'
import {
  dictionaryAt,
  endsWord,
  isWhiteSpace,
  PdfTokens,
  valueAt,
  type PdfDictionary,
  type PdfValue,
} from './pdf-syntax.ts'

/** The most objects of a file; ordinary files of the largest size have a tenth of this. */
const mostObjects = 500_000
/**
 * How many times the size of the file may be read in all: objects that stand inside others are read again, and packed
 * ones in several ways.
 */
const mostRead = 8
const megabyte = 1024 * 1024

export class TakesTooMuch extends Error {}

/** The number is null if it is unknown or could be read in several ways: then it may be any. */
export type FoundObject = {
  number: number | null
  generation: number
  /** Where its number begins; null if the number stands elsewhere. */
  header: number | null
  start: number
  end: number
}
export type FoundStream = { object: FoundObject; dictionary: number; start: number }

export type PdfObjects = {
  bytes: Buffer
  objects: FoundObject[]
  streams: FoundStream[]
  /** Where words such as `endstream` begin. */
  streamEnds: number[]
  /** Where encryption dictionaries and arrays of identifiers begin. */
  encryption: number[]
  identifiers: number[]
  /** How many bytes may still be read. */
  left: number
}

export function findObjects(bytes: Buffer, facts: Facts): PdfObjects {
  const found: PdfObjects = {
    bytes,
    objects: [],
    streams: [],
    streamEnds: [],
    encryption: [],
    identifiers: [],
    left: bytes.length * mostRead + megabyte,
  }
  for (const at of placesOf('obj', bytes)) {
    if (!isWordObj(bytes, at)) continue
    const object = { ...headerBefore(bytes, at), start: at + 3, end: bytes.length }
    found.objects.push(object)
    if (found.objects.length > mostObjects) throw new TakesTooMuch()
    look(found, object, 'own', facts)
  }
  const unnumbered = { number: null, generation: 0, header: null, end: bytes.length }
  for (const at of placesOf('trailer', bytes)) look(found, { ...unnumbered, start: at + 7 }, 'other', facts)
  // Readers also accept `endstrea` and `endsteam`.
  for (const at of placesOf('endst', bytes)) {
    found.streamEnds.push(at)
    look(found, { ...unnumbered, start: at }, 'other', facts)
  }
  return found
}

/** The objects that a reference to one of these numbers could lead to, if a table says so. */
export function* objectsOf(found: PdfObjects, numbers: ReadonlySet<number>): Generator<FoundObject> {
  const lengths = [...new Set([...numbers].map((number) => 10 ** String(number).length))]
  for (const object of found.objects) {
    const { number } = object
    // A table may point into the middle of a number: object 12 can also be read as object 2.
    const isOne = () => lengths.some((length) => numbers.has(number! % length))
    if (number === null || numbers.has(Number.NaN) || numbers.has(number) || isOne()) yield object
  }
}

/** Reads an object; false: its bytes end where readers that go on would see more. */
export function look(found: PdfObjects, object: FoundObject, role: Role, facts: Facts): boolean {
  const tokens = new PdfTokens(found.bytes, object.start, object.end)
  const isFirst = role === 'own' || role === 'other'
  const isWhole = readObject(tokens, role, facts, isFirst ? eventsOf(found, object) : noEvents)
  takeFrom(found, tokens.at - object.start)
  return isWhole
}

function takeFrom(found: PdfObjects, bytes: number): void {
  found.left -= bytes
  if (found.left < 0) throw new TakesTooMuch()
}

/** The first word from here that may end a stream, or the end of the file. */
export function endOfStream({ bytes, streamEnds }: PdfObjects, from: number): number {
  let [low, high] = [0, streamEnds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (streamEnds[middle]! < from) low = middle + 1
    else high = middle
  }
  return streamEnds[low] ?? bytes.length
}

const noEvents: ObjectEvents = { onStream: () => {}, onEncryption: () => {}, onIdentifiers: () => {} }

function eventsOf(found: PdfObjects, object: FoundObject): ObjectEvents {
  return {
    onStream: (dictionary, after) => {
      found.streams.push({ object, dictionary, start: dataAfter(found.bytes, after) })
      if (found.streams.length > mostObjects) throw new TakesTooMuch()
    },
    onEncryption: (dictionary) => found.encryption.push(dictionary),
    onIdentifiers: (value) => found.identifiers.push(value),
  }
}

/** The position of the data, which begin on the next line. */
function dataAfter(bytes: Buffer, after: number): number {
  let at = after
  while (bytes[at] === 32 || bytes[at] === 9 || bytes[at] === 0 || bytes[at] === 12) at++
  if (bytes[at] === 13) return bytes[at + 1] === 10 ? at + 2 : at + 1
  return bytes[at] === 10 ? at + 1 : after
}

function* placesOf(word: string, bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + word.length)) yield at
}

function isWordObj(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]
  const isAfterNumber =
    isWhiteSpace(before) || (before !== undefined && /[\d.+-]/.test(String.fromCharCode(before)))
  return isAfterNumber && endsWord(bytes[at + 3])
}

const longestHeader = 40
/** The header must stand on one line, because an earlier line may end in a comment. */
const header = /(?<![\d.+-])(\d{1,9})[\0\t\f ]+(\d{1,5})[\0\t\f ]*$/

function headerBefore(bytes: Buffer, at: number): Pick<FoundObject, 'number' | 'generation' | 'header'> {
  const from = Math.max(0, at - longestHeader)
  const match = header.exec(bytes.toString('latin1', from, at))
  // The number is complete only if no further digits can stand before it.
  const isWhole = match !== null && (match.index > 0 || from === 0)
  return isWhole
    ? { number: Number(match[1]), generation: Number(match[2]), header: from + match.index }
    : { number: null, generation: 0, header: null }
}

/** The largest unpacked size of all such streams of a file together. */
const largest = 32 * 1024 * 1024

export type PackedObjects = { bytes: Buffer; objects: FoundObject[] }

export function hasObjects(dictionary: PdfDictionary): boolean {
  const type = dictionary.get('Type')
  const isNamed = type?.kind === 'name' && type.text === 'ObjStm'
  return isNamed || (dictionary.has('N') && dictionary.has('First'))
}

/** Null: a stream cannot be unpacked. */
export function packedObjects(
  found: PdfObjects,
  keys: readonly Decrypt[],
): { count: number; packed: PackedObjects[] } | null {
  const packed: PackedObjects[] = []
  const budget = { left: largest, objects: mostObjects }
  let count = 0
  for (const stream of found.streams) {
    const dictionary = dictionaryAt(found.bytes, stream.dictionary)
    // A dictionary that cannot be read is searched for words.
    if (!dictionary ? !mayHaveObjects(found.bytes, stream) : !hasObjects(dictionary)) continue
    count++
    if (!dictionary) return null
    const readings = readingsOf(found, stream, dictionary, keys, budget)
    if (!readings) return null
    packed.push(...readings)
  }
  return { count, packed }
}

function mayHaveObjects(bytes: Buffer, stream: FoundStream): boolean {
  const tokens = new PdfTokens(bytes, stream.dictionary, stream.start)
  while (tokens.next() !== 'end') {
    if (tokens.kind === 'name' && ['ObjStm', 'First'].includes(tokens.text())) return true
  }
  return false
}

type Budget = { left: number; objects: number }

function readingsOf(
  found: PdfObjects,
  stream: FoundStream,
  dictionary: PdfDictionary,
  keys: readonly Decrypt[],
  budget: Budget,
): PackedObjects[] | null {
  const count = wholeNumber(dictionary.get('N'))
  const first = wholeNumber(dictionary.get('First'))
  const filters = filtersOf(dictionary)
  const ends = endsOf(found, stream, dictionary.get('Length'))
  if (count === null || first === null || !filters || !ends) return null
  if (count === 0) return []
  const readings: PackedObjects[] = []
  const most = budget.left
  const { number, generation } = stream.object
  const asWritten: Decrypt = (data) => data
  for (const decrypt of [asWritten, ...keys]) {
    const unpacked = [...ends].map((end) => {
      takeFrom(found, end - stream.start)
      const data = decrypt(found.bytes.subarray(stream.start, end), number, generation)
      return data && unpack(data, filters, most)
    })
    // A stream that is damaged up to one of its ends only may contain more than it seems to.
    if (unpacked.includes(null) && unpacked.some((bytes) => bytes !== null)) return null
    for (const bytes of unpacked) {
      if (!bytes || readings.some((reading) => reading.bytes.equals(bytes))) continue
      budget.left -= bytes.length
      if (budget.left < 0) throw new UnpacksTooLarge()
      const objects = objectsIn(bytes, count, first, budget)
      if (objects) readings.push({ bytes, objects })
    }
  }
  return readings.length > 0 ? readings : null
}

function wholeNumber(value: PdfValue | undefined): number | null {
  return value?.kind === 'number' && value.value >= 0 ? value.value : null
}

type Filter = { name: string; parameters: PdfValue | undefined }

/** Null: the filters are written in a way that readers interpret differently, which programs do not do. */
function filtersOf(dictionary: PdfDictionary): Filter[] | null {
  if (dictionary.has('F') || dictionary.has('DP')) return null
  const [names, parameters] = [dictionary.get('Filter'), dictionary.get('DecodeParms')]
  if (names === undefined || isNothing(names)) return []
  if (names.kind === 'name') {
    const single =
      parameters?.kind === 'array' && parameters.items.length === 1 ? parameters.items[0] : parameters
    return [{ name: names.text, parameters: single }]
  }
  if (names.kind !== 'array' || names.items.length > 8) return null
  if (parameters !== undefined && parameters.kind !== 'array' && !isNothing(parameters)) {
    // If an array has a single filter, programs leave out the array around its parameters.
    if (names.items.length > 1 || names.items[0]?.kind !== 'name') return null
    return [{ name: names.items[0].text, parameters }]
  }
  const all = parameters?.kind === 'array' ? parameters.items : []
  return names.items.every((item) => item.kind === 'name')
    ? names.items.map((item, i) => ({ name: item.text, parameters: all[i] }))
    : null
}

/** The stream unpacked up to its stated length or the word that ends it; null: it cannot be unpacked. */
export function unpackedStream(
  found: PdfObjects,
  stream: FoundStream,
  dictionary: PdfDictionary,
): Buffer | null {
  const filters = filtersOf(dictionary)
  const length = dictionary.get('Length')
  const end = length?.kind === 'number' ? stream.start + length.value : endOfStream(found, stream.start)
  return filters && unpack(found.bytes.subarray(stream.start, end), filters, largest)
}

/**
 * Null: the data are damaged, or packed by a filter that programs do not use for objects: readers differ in how they
 * repair those.
 */
function unpack(data: Buffer, filters: readonly Filter[], most: number): Buffer | null {
  let left = data
  for (const { name, parameters } of filters) {
    const unpacked = decode(name, left, parameters, most)
    if (!unpacked) return null
    left = unpacked
  }
  if (left.length > most) throw new UnpacksTooLarge()
  return left
}

function decode(name: string, data: Buffer, parameters: PdfValue | undefined, most: number): Buffer | null {
  switch (name) {
    case 'FlateDecode':
    case 'Fl': {
      const inflated = inflateSound(data, most)
      return inflated && undoPredictor(inflated, parameters)
    }
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeHex(data)
    case 'Crypt':
      // The Crypt filter does nothing if the file is not encrypted.
      return data
    default:
      return null
  }
}

const mostEnds = 8

/**
 * The positions where the data may end: at the ending word, and after each possible length. Null: there are too many.
 */
function endsOf(found: PdfObjects, { start }: FoundStream, length: PdfValue | undefined): Set<number> | null {
  const { bytes } = found
  const word = endOfStream(found, start)
  const ends = new Set([word])
  const add = (value: number) => value >= 0 && ends.add(Math.min(start + value, bytes.length))
  if (length?.kind === 'number') add(length.value)
  if (length?.kind === 'ambiguous') return null
  if (length?.kind === 'reference') {
    takeFrom(found, found.objects.length)
    for (const object of objectsOf(found, new Set([length.number]))) {
      const value = valueAt(bytes, object.start)
      if (value?.kind !== 'number' || !(value.value >= 0)) continue
      // An object that only may have that number counts if the stream could end at its length.
      if (object.number === length.number || endsAt(bytes, start + value.value)) add(value.value)
      if (ends.size > mostEnds) return null
    }
  }
  return ends
}

function endsAt(bytes: Buffer, at: number): boolean {
  const tokens = new PdfTokens(bytes, at, at + 1024)
  return tokens.next() === 'keyword' && tokens.text().startsWith('endst')
}

/** Reads the list of numbers and positions at the beginning. Null: there is no such list. */
function objectsIn(bytes: Buffer, count: number, first: number, budget: Budget): FoundObject[] | null {
  const tokens = new PdfTokens(bytes)
  const objects: FoundObject[] = []
  for (let i = 0; i < count; i++) {
    tokens.next()
    const number = tokens.integer()
    tokens.next()
    const start = first + tokens.integer()
    if (Number.isNaN(number) || Number.isNaN(start)) return null
    const before = objects.at(-1)
    if (before && start >= before.start) before.end = Math.min(start, bytes.length)
    objects.push({
      number,
      generation: 0,
      header: null,
      start: Math.min(start, bytes.length),
      end: bytes.length,
    })
    if (--budget.objects < 0) throw new TakesTooMuch()
  }
  return objects
}
