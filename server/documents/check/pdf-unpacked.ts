/**
 * Finds out whether the streams of a PDF are larger than allowed when they are unpacked. The streams are found
 * without a PDF reader and unpacked up to a budget for the whole file, before any reader, which would unpack without
 * limits, sees the file. Pictures are left out, because nothing here draws them. Anything hidden from this search is
 * stopped by the memory limit of the process.
 */
import { decode, UnpacksTooLarge } from './pdf-filters.ts'
import {
  endOfStream,
  findObjects,
  hasObjects,
  TakesTooMuch,
  type FoundStream,
  type PdfObjects,
} from './pdf-objects.ts'
import { noFacts } from './pdf-rules.ts'
import { dictionaryAt, valueAt, type PdfDictionary, type PdfValue } from './pdf-syntax.ts'

const megabyte = 1024 * 1024
/** The most that one stream and all streams together may have, unpacked. */
const largest = { stream: 64 * megabyte, file: 200 * megabyte }
/**
 * How many times the size of the file may be read: a reader that follows wrong lengths would read the same bytes
 * again and again.
 */
const mostRead = 4
const mostFilters = 8

export async function unpacksTooLarge(pdf: Buffer): Promise<boolean> {
  try {
    return await streamsUnpackTooLarge(findObjects(pdf, noFacts()))
  } catch (error) {
    if (error instanceof TakesTooMuch) return true
    throw error
  }
}

export async function streamsUnpackTooLarge(found: PdfObjects): Promise<boolean> {
  const budget = { unpacked: largest.file, read: found.bytes.length * mostRead + megabyte }
  const elsewhere = valuesElsewhere(found)
  try {
    for (const stream of found.streams) {
      const dictionary = dictionaryAt(found.bytes, stream.dictionary)
      if (dictionary && isPicture(dictionary)) continue
      const data = dataOf(found, stream, dictionary, elsewhere)
      for (const filters of chainsOf(dictionary, elsewhere)) await unpack(data, filters, budget)
    }
    return false
  } catch (error) {
    if (error instanceof UnpacksTooLarge) return true
    throw error
  }
}

/**
 * Tables and object streams may be declared as pictures; readers unpack them nevertheless, so they do not count as
 * pictures.
 */
function isPicture(dictionary: PdfDictionary): boolean {
  const subtype = dictionary.get('Subtype')
  return (
    subtype?.kind === 'name' && subtype.text === 'Image' && !hasObjects(dictionary) && !dictionary.has('W')
  )
}

/** The lengths and filters of streams that are given by other objects, by number of the object. */
type Elsewhere = Map<number, PdfValue[]>

const keys = ['Length', 'Filter', 'F']
/** Each revision of an object counts, up to this many. */
const mostRevisions = 8

function valuesElsewhere({ bytes, streams, objects }: PdfObjects): Elsewhere {
  const values: Elsewhere = new Map()
  for (const stream of streams) {
    const dictionary = dictionaryAt(bytes, stream.dictionary)
    for (const key of keys) {
      const value = dictionary?.get(key)
      if (value?.kind === 'reference') values.set(value.number, [])
    }
  }
  for (const { number, start } of objects) {
    const known = number === null ? undefined : values.get(number)
    const value = known && known.length < mostRevisions ? valueAt(bytes, start) : null
    if (value) known!.push(value)
  }
  return values
}

function resolved(value: PdfValue | undefined, elsewhere: Elsewhere): PdfValue[] {
  if (value === undefined) return []
  return value.kind === 'reference' ? (elsewhere.get(value.number) ?? []) : [value]
}

function dataOf(
  found: PdfObjects,
  { start }: FoundStream,
  dictionary: PdfDictionary | null,
  elsewhere: Elsewhere,
): Buffer {
  const lengths = resolved(dictionary?.get('Length'), elsewhere).map((value) =>
    value.kind === 'number' && value.value >= 0 ? value.value : 0,
  )
  const end = Math.min(start + Math.max(0, ...lengths), found.bytes.length)
  return found.bytes.subarray(start, Math.max(end, endOfStream(found, start)))
}

const unknown = Array<string>(mostFilters).fill('FlateDecode')

/** The filters in their order, in each way in which they may be interpreted. */
function chainsOf(dictionary: PdfDictionary | null, elsewhere: Elsewhere): string[][] {
  if (!dictionary) return [unknown]
  const chains: string[][] = []
  for (const key of ['Filter', 'F']) {
    const entry = dictionary.get(key)
    const values = resolved(entry, elsewhere)
    chains.push(...values.map(namesIn))
    if (entry !== undefined && values.length === 0) chains.push(unknown)
  }
  return chains
}

function namesIn(value: PdfValue): string[] {
  if (value.kind === 'name') return [value.text]
  if (value.kind === 'ambiguous') return unknown
  if (value.kind !== 'array') return []
  const names = value.items.map((item) => (item.kind === 'name' ? item.text : null))
  return names.every((name) => name !== null) ? names.slice(0, mostFilters) : unknown
}

/** Unpacks the data as far as possible; throws if the budget is exceeded. */
async function unpack(
  data: Buffer,
  filters: readonly string[],
  budget: { unpacked: number; read: number },
): Promise<void> {
  let left = data
  for (const filter of filters) {
    budget.read -= left.length
    const most = Math.min(largest.stream, budget.unpacked)
    if (budget.read < 0) throw new UnpacksTooLarge()
    const unpacked = filter === 'Crypt' ? left : await decode(filter, left, most)
    if (!unpacked) return
    if (unpacked.length > most) throw new UnpacksTooLarge()
    budget.unpacked -= filter === 'Crypt' ? 0 : unpacked.length
    left = unpacked
  }
}
