/**
 * The positions of the objects of a file in each of its revisions: tables and streams of cross-references (7.5.4,
 * 7.5.8).
 */
import { unpacked } from './filters.ts'
import {
  expectWord,
  readCount,
  readIndirectObject,
  readValue,
  skipSpace,
  takeWord,
  type Reader,
} from './syntax.ts'
import {
  PdfError,
  isArray,
  isCount,
  isDict,
  isName,
  isStream,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from './values.ts'

export type Entry =
  | { at: number; generation: number }
  /** At this index in an object stream. */
  | { inStream: number; index: number }
  | 'free'

export type Section = {
  at: number
  /** The position behind the section or, if it is a table, behind its trailer. */
  to: number
  entries: Map<number, Entry>
  trailer: PdfDict
}

const limits = { sections: 200, objects: 5_000_000 }

/** The newest section first, each followed by the section that it refers to. */
export async function readSections(bytes: Uint8Array, start: number): Promise<Section[]> {
  const sections: Section[] = []
  const seen = new Set<number>()
  let at: number | null = start
  while (at !== null) {
    if (seen.has(at) || sections.length >= limits.sections) throw new PdfError('Revisions without an end')
    seen.add(at)
    const section: Section = await readSection(bytes, at)
    sections.push(section)
    const previous: PdfValue | undefined = section.trailer.entries.get('Prev')
    if (previous !== undefined && !isCount(previous)) throw new PdfError('A revision refers to nothing')
    at = previous ?? null
  }
  return sections
}

async function readSection(bytes: Uint8Array, at: number): Promise<Section> {
  const reader: Reader = { bytes, at }
  if (!takeWord(reader, 'xref')) return readStreamSection(reader)
  const entries = readTable(reader)
  const trailer = readValue(reader)
  if (!isDict(trailer)) throw new PdfError('No trailer')
  const section = { at, to: reader.at, entries, trailer }
  const hybrid = trailer.entries.get('XRefStm')
  if (hybrid === undefined) return section
  if (!isCount(hybrid)) throw new PdfError('A table refers to nothing')
  // Objects that the table calls free or does not name may be in the stream, for programs that read it.
  const more = await readStreamSection({ bytes, at: hybrid })
  for (const [number, entry] of more.entries) {
    if (!entries.has(number) || entries.get(number) === 'free') entries.set(number, entry)
  }
  return section
}

function readTable(reader: Reader): Map<number, Entry> {
  const entries = new Map<number, Entry>()
  while (!takeWord(reader, 'trailer')) {
    const first = readCount(reader)
    const count = readCount(reader)
    if (count > limits.objects) throw new PdfError('Too many objects')
    for (let i = 0; i < count; i++) {
      const at = readCount(reader)
      const generation = readCount(reader)
      const isUsed = takeWord(reader, 'n')
      if (!isUsed) expectWord(reader, 'f')
      setOnce(entries, first + i, isUsed ? { at, generation } : 'free')
    }
  }
  return entries
}

function setOnce(entries: Map<number, Entry>, number: number, entry: Entry): void {
  if (entries.has(number)) throw new PdfError(`Two places of object ${number}`)
  entries.set(number, entry)
}

async function readStreamSection(reader: Reader): Promise<Section> {
  const { at } = reader
  skipSpace(reader)
  const { value, to } = readIndirectObject(reader, directLength)
  if (!isStream(value) || !isName(value.dict.entries.get('Type'), 'XRef'))
    throw new PdfError(`No cross-references at ${at}`)
  return { at, to, entries: await entriesIn(value), trailer: value.dict }
}

function directLength(length: PdfValue | undefined): number {
  if (!isCount(length)) throw new PdfError('A stream has no length')
  return length
}

async function entriesIn(stream: PdfStream): Promise<Map<number, Entry>> {
  const { entries: dict } = stream.dict
  const [widths, size] = [dict.get('W'), dict.get('Size')]
  const index = dict.get('Index') ?? [0, size ?? null]
  const isRight =
    isArray(widths) && widths.length === 3 && widths.every((width) => isCount(width) && width <= 8)
  if (!isRight || !isArray(index) || index.length % 2 !== 0 || !index.every(isCount))
    throw new PdfError('Wrong cross-references')
  const bytes = await unpacked(stream)
  const entries = new Map<number, Entry>()
  let at = 0
  const number = (width: number, otherwise: number) => {
    if (width === 0) return otherwise
    let value = 0
    for (let i = 0; i < width; i++) {
      const byte = bytes[at++]
      if (byte === undefined) throw new PdfError('Cross-references end early')
      value = value * 256 + byte
    }
    return value
  }
  const [ofKind, ofSecond, ofThird] = widths as number[]
  for (let pair = 0; pair < index.length; pair += 2) {
    const [first, count] = [index[pair] as number, index[pair + 1] as number]
    if (count > limits.objects) throw new PdfError('Too many objects')
    for (let i = 0; i < count; i++) {
      const kind = number(ofKind!, 1)
      const second = number(ofSecond!, 0)
      const third = number(ofThird!, 0)
      setOnce(entries, first + i, entryOf(kind, second, third))
    }
  }
  return entries
}

function entryOf(kind: number, second: number, third: number): Entry {
  if (kind === 0) return 'free'
  if (kind === 1) return { at: second, generation: third }
  if (kind === 2) return { inStream: second, index: third }
  throw new PdfError('A kind of object that does not exist')
}
