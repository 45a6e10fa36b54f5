/**
 * A PDF as a series of revisions: each time a program appends to a file instead of rewriting it, as signing does, the
 * file gets one more. Each revision can be read as it was.
 */
import { readSections, type Entry, type Section } from './cross-references.ts'
import { unpacked } from './filters.ts'
import {
  readCount,
  readIndirectObject,
  readValue,
  skipSpace,
  startsWith,
  takeWord,
  type Reader,
} from './syntax.ts'
import {
  PdfError,
  idOf,
  isCount,
  isDict,
  isName,
  isRef,
  isStream,
  type PdfDict,
  type PdfValue,
} from './values.ts'

export type PdfDocument = {
  bytes: Uint8Array
  /** The oldest revision first. */
  revisions: readonly Revision[]
}

export type Revision = {
  /** Where the previous revision ends. */
  from: number
  /** The position behind its `%%EOF`. */
  to: number
  /** The newest section first; a file that is optimised for the web has two in one revision. */
  sections: readonly Section[]
}

/** The state of a file in one of its revisions. */
export type View = {
  trailer: PdfDict
  catalog: PdfDict
  /** The value itself, or the object that it refers to; null if there is no such object. */
  resolve: (value: PdfValue | undefined) => PdfValue
}

export function isPdf(bytes: Uint8Array): boolean {
  return startsWith({ bytes, at: 0 }, '%PDF-')
}

export async function openPdf(bytes: Uint8Array): Promise<PdfDocument> {
  if (!isPdf(bytes)) throw new PdfError('Not a PDF')
  const last = lastMarker(bytes)
  const sections = await readSections(bytes, last.target)
  const revisions: { to: number; sections: Section[] }[] = []
  for (const section of sections) {
    const to = revisions.length === 0 ? last.to : markerBehind(bytes, section)
    const newest = revisions[0]
    if (to === null && newest) newest.sections.push(section)
    else revisions.unshift({ to: to!, sections: [section] })
  }
  return {
    bytes,
    revisions: revisions.map((revision, i) => ({ ...revision, from: i === 0 ? 0 : revisions[i - 1]!.to })),
  }
}

/** Only white space may follow the end of a file, because programs search for the end in different ways. */
function lastMarker(bytes: Uint8Array): { target: number; to: number } {
  let end = bytes.length
  while (end > 0 && [0, 9, 10, 12, 13, 32].includes(bytes[end - 1]!)) end--
  const from = end - '%%EOF'.length
  if (!startsWith({ bytes, at: from }, '%%EOF')) throw new PdfError('No end')
  let at = from
  while (at > 0 && from - at < 64 && !startsWith({ bytes, at }, 'startxref')) at--
  const marker = markerAt({ bytes, at })
  if (!marker || marker.to !== end) throw new PdfError('The end refers to nothing')
  return marker
}

function markerAt(reader: Reader): { target: number; to: number } | null {
  if (!takeWord(reader, 'startxref')) return null
  const target = readCount(reader)
  skipSpace(reader)
  if (!startsWith(reader, '%%EOF')) return null
  return { target, to: reader.at + '%%EOF'.length }
}

/** Null: no revision ends behind this section. */
function markerBehind(bytes: Uint8Array, section: Section): number | null {
  const marker = markerAt({ bytes, at: section.to })
  return marker && marker.target === section.at ? marker.to : null
}

/** `index`: of the revision; later ones are ignored. */
export async function viewOf({ bytes, revisions }: PdfDocument, index: number): Promise<View> {
  const sections = revisions.slice(0, index + 1).flatMap((revision) => [...revision.sections].toReversed())
  const places = new Map<number, Entry>()
  for (const section of sections) for (const [number, entry] of section.entries) places.set(number, entry)
  const packed = new Map<number, PackedObject[]>()
  const known = new Map<string, PdfValue>()

  const resolve = (value: PdfValue | undefined, depth = 0): PdfValue => {
    if (!isRef(value)) return value ?? null
    const before = known.get(idOf(value))
    if (before !== undefined) return before
    if (depth > 16) throw new PdfError('References that lead in a circle')
    const object = objectAt(value.ref, value.generation, depth)
    known.set(idOf(value), object)
    return object
  }
  const objectAt = (number: number, generation: number, depth: number): PdfValue => {
    const place = places.get(number)
    if (place === undefined || place === 'free') return null
    if ('inStream' in place) {
      const object = packed.get(place.inStream)?.[place.index]
      // The number must be that of the index: some programs use the number, others the index.
      if (object?.number !== number) throw new PdfError(`Object ${number} is missing`)
      return generation === 0 ? object.value : null
    }
    const object = readIndirectObject({ bytes, at: place.at }, lengthBy(resolve, depth))
    if (object.number !== number || object.generation !== place.generation)
      throw new PdfError(`Object ${number} is not where it should be`)
    // A reference to another generation refers to nothing.
    return generation === place.generation ? object.value : null
  }

  const trailer = revisions[index]!.sections[0]!.trailer
  if (trailer.entries.has('Encrypt')) throw new EncryptedError('Encrypted')
  for (const place of places.values()) {
    if (typeof place === 'string' || !('inStream' in place) || packed.has(place.inStream)) continue
    packed.set(place.inStream, await objectsIn(resolve({ ref: place.inStream, generation: 0 }), resolve))
  }
  const catalog = resolve(trailer.entries.get('Root'))
  if (!isDict(catalog)) throw new PdfError('No catalog')
  return { trailer, catalog, resolve: (value) => resolve(value) }
}

/** The file cannot be read without its password. */
export class EncryptedError extends PdfError {}

type PackedObject = { number: number; value: PdfValue }

/** The objects in an object stream (7.5.7), in their order. */
async function objectsIn(stream: PdfValue, resolve: View['resolve']): Promise<PackedObject[]> {
  if (!isStream(stream) || !isName(stream.dict.entries.get('Type'), 'ObjStm'))
    throw new PdfError('No stream of objects')
  const count = resolve(stream.dict.entries.get('N'))
  const first = resolve(stream.dict.entries.get('First'))
  if (!isCount(count) || !isCount(first)) throw new PdfError('A stream of objects without a number of them')
  const bytes = await unpacked(stream)
  const reader: Reader = { bytes, at: 0 }
  const places: { number: number; offset: number }[] = []
  for (let i = 0; i < count; i++) places.push({ number: readCount(reader), offset: readCount(reader) })
  return places.map(({ number, offset }) => ({ number, value: readValue({ bytes, at: first + offset }) }))
}

function lengthBy(resolve: (value: PdfValue | undefined, depth: number) => PdfValue, depth: number) {
  return (length: PdfValue | undefined): number => {
    const value = resolve(length, depth + 1)
    if (!isCount(value)) throw new PdfError('A stream has no length')
    return value
  }
}

/**
 * Whether an appended revision contains exactly the objects that its cross-references name, each at its place. Other
 * objects between them, or references to other places, are meant for programs that read a file in another way than
 * this one.
 */
export function isCleanAddition({ bytes, revisions }: PdfDocument, index: number): boolean {
  const { from, to, sections } = revisions[index]!
  const [section, ...more] = sections
  // Programs that do not know the second table of a hybrid file would see another document.
  if (more.length > 0 || section!.trailer.entries.has('XRefStm')) return false
  const earlier = new Map<number, Entry>()
  for (const revision of revisions.slice(0, index))
    for (const one of [...revision.sections].toReversed())
      for (const [number, entry] of one.entries) earlier.set(number, entry)
  try {
    const found = objectsBetween(bytes, from, to, section!, lengthsIn(bytes, section!, earlier))
    return isEachNamed(found, section!) && isEachFound(found, section!, earlier)
  } catch (error) {
    if (error instanceof PdfError) return false
    throw error
  }
}

/** The positions of the objects in this part of the file, by their numbers. */
function objectsBetween(
  bytes: Uint8Array,
  from: number,
  to: number,
  section: Section,
  lengthOf: (length: PdfValue | undefined) => number,
): Map<number, number> {
  const found = new Map<number, number>()
  const reader: Reader = { bytes, at: from }
  for (;;) {
    skipSpace(reader)
    if (reader.at === section.at && startsWith(reader, 'xref')) {
      reader.at = section.to
      continue
    }
    if (startsWith(reader, 'startxref')) {
      const marker = markerAt(reader)
      if (marker?.to !== to || marker.target !== section.at) throw new PdfError('Another end')
      return found
    }
    const object = readIndirectObject(reader, lengthOf)
    if (found.has(object.number)) throw new PdfError(`Object ${object.number} twice`)
    found.set(object.number, object.from)
    if (reader.at > to) throw new PdfError('No end')
  }
}

/** Resolves a stream length that is an object of its own, in this revision or an earlier one. */
function lengthsIn(bytes: Uint8Array, section: Section, earlier: ReadonlyMap<number, Entry>) {
  return (length: PdfValue | undefined): number => {
    if (!isRef(length)) return isCount(length) ? length : fail()
    const place = section.entries.get(length.ref) ?? earlier.get(length.ref)
    if (place === undefined || place === 'free' || 'inStream' in place) return fail()
    const { value } = readIndirectObject({ bytes, at: place.at }, fail)
    return isCount(value) ? value : fail()
  }
}

function fail(): never {
  throw new PdfError('A stream has no length')
}

function isEachNamed(found: ReadonlyMap<number, number>, section: Section): boolean {
  return [...found].every(([number, at]) => {
    const place = section.entries.get(number)
    // A cross-reference stream need not name itself.
    return at === section.at || (typeof place === 'object' && 'at' in place && place.at === at)
  })
}

function isEachFound(
  found: ReadonlyMap<number, number>,
  section: Section,
  earlier: ReadonlyMap<number, Entry>,
): boolean {
  return [...section.entries].every(([number, place]) => {
    if (place === 'free') return true
    if ('at' in place && found.get(number) === place.at) return true
    if ('inStream' in place && found.has(place.inStream)) return true
    const before = earlier.get(number)
    // Some programs repeat entries that have not changed.
    return before !== undefined && JSON.stringify(before) === JSON.stringify(place)
  })
}
