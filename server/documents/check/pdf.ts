/**
 * Checks that a file is a PDF that opens. It must begin as one (readers also accept a later beginning, which makes
 * files of two formats possible), must not be a zip at the same time, must not be too large when unpacked, and must
 * not act or show another content than the one that was signed; and pdf.js must open it and its first page. Active
 * content is looked for in the bytes rather than in the objects that a reader would find, so that nothing is hidden
 * by a damaged or wrong table.
 */
import type { FileHandle } from 'node:fs/promises'
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist'
import type { CheckResult } from './check-job.ts'
import { endsAsZip, readAt } from './file-signatures.ts'
import { decryptionOf, type Decrypt } from './pdf-decrypt.ts'
import { UnpacksTooLarge } from './pdf-filters.ts'
import {
  findObjects,
  look,
  objectsOf,
  unpackedStream,
  packedObjects,
  TakesTooMuch,
  type FoundObject,
  type PackedObjects,
  type PdfObjects,
} from './pdf-objects.ts'
import { actingRoles, noFacts, type Facts, type Role } from './pdf-rules.ts'
import { dictionaryAt, valueAt, type PdfDictionary } from './pdf-syntax.ts'
import { streamsUnpackTooLarge } from './pdf-unpacked.ts'

/** Loaded with the first PDF, because loading pdf.js takes most of the start of a worker. */
const pdfjs = () => import('pdfjs-dist/legacy/build/pdf.mjs')

export async function checkPdf(file: FileHandle, size: number): Promise<CheckResult> {
  const beginning = await readAt(file, 0, 1024)
  if (!beginning.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    return beginning.includes('%PDF-') ? 'two-formats' : 'mismatch'
  }
  if (await endsAsZip(file, size)) return 'two-formats'
  const facts = noFacts()
  try {
    const found = findObjects(await readAt(file, 0, size), facts)
    if (await streamsUnpackTooLarge(found)) return 'bomb'
    return await opens(file, size, activeContentOf(found, facts))
  } catch (error) {
    if (error instanceof UnpacksTooLarge) return 'bomb'
    if (error instanceof TakesTooMuch) return 'too-much'
    throw error
  }
}

async function opens(file: FileHandle, size: number, activeContent: ActiveContent): Promise<CheckResult> {
  const { getDocument, PDFDataRangeTransport, VerbosityLevel } = await pdfjs()
  // Only the requested ranges are read: a file of 20 MB opens by its last kilobytes.
  const range = new PDFDataRangeTransport(size, null)
  let failure: (error: unknown) => void = () => {}
  const unreadable = new Promise<never>((_, reject) => (failure = reject))
  range.requestDataRange = (begin, end) => {
    readAt(file, begin, end - begin).then((bytes) => range.onDataRange(begin, new Uint8Array(bytes)), failure)
  }
  const task: PDFDocumentLoadingTask = getDocument({
    range,
    disableAutoFetch: true,
    disableStream: true,
    stopAtErrors: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const document = await Promise.race([task.promise, unreadable])
    if (document.numPages < 1) return 'broken'
    await Promise.race([document.getPage(1), unreadable])
    // If pdf.js cannot answer one of these questions, another program may show what pdf.js does not.
    const active = await Promise.race([activeInObjects(document), unreadable])
    return active.found ?? activeContent(active.isEncrypted)
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken'
  } finally {
    await task.destroy()
  }
}

/**
 * Asks pdf.js for active content that the search of the bytes also finds: two programs that agree are more reliable
 * than one.
 */
async function activeInObjects(
  document: PDFDocumentProxy,
): Promise<{ found: CheckResult; isEncrypted: boolean }> {
  const { info } = await document.getMetadata()
  const isEncrypted = 'EncryptFilterName' in info && info.EncryptFilterName !== null
  const fields = [...((await document.getFieldObjects())?.values() ?? [])].flat()
  // pdf.js takes every signature field for one with a script in its own check, so only the actions of fields are
  // looked at.
  const isScripted = fields.some(
    (field) => 'actions' in field && field.actions !== null && field.actions !== undefined,
  )
  if (isScripted || (await document.getJSActions())) return { found: 'scripts', isEncrypted }
  const isForm = 'IsXFAPresent' in info && info.IsXFAPresent === true
  return { found: isForm ? 'xfa' : null, isEncrypted }
}

/** Null: nothing is wrong. `isEncrypted` says what a reader of PDF found. */
type ActiveContent = (isEncrypted: boolean) => CheckResult

/** Takes what was found in the bytes, and looks into the packed objects as well. */
function activeContentOf(found: PdfObjects, facts: Facts): ActiveContent {
  const keys = keysOf(found)
  const packed = packedObjects(found, keys ?? [])
  const sources = [found, ...(packed?.packed ?? []).map((objects) => packedSource(objects))]
  for (const source of sources.slice(1)) {
    for (const object of source.objects) lookUntilNext(source, object, 'own', facts)
    // A stream cannot stand inside another one.
    if (source.streams.length > 0) facts.isBroken = true
  }
  const runs = facts.opensAnother && runsByItself(sources, facts)
  return (isEncrypted) => {
    if (isActive(facts) || runs) return 'scripts'
    if (facts.hasXfa) return 'xfa'
    if (isEncrypted && (!keys || (keys.length === 0 && packed?.count !== 0))) return 'encrypted'
    return facts.isBroken || !packed ? 'broken' : null
  }
}

function isActive(facts: Facts): boolean {
  if (facts.isActive) return true
  return (facts.kindElsewhere && facts.kindAlone) || (facts.subtypeElsewhere && facts.mediaAlone)
}

const megabyte = 1024 * 1024

function packedSource({ bytes, objects }: PackedObjects): PdfObjects {
  return {
    bytes,
    objects,
    streams: [],
    streamEnds: [],
    encryption: [],
    identifiers: [],
    left: bytes.length * 4 + megabyte,
  }
}

/**
 * Reads a packed object up to the beginning of the next one and up to the end of its syntax, because readers differ.
 */
function lookUntilNext(source: PdfObjects, object: FoundObject, role: Role, facts: Facts): void {
  const isWhole = look(source, object, role, facts)
  if (!isWhole && object.end < source.bytes.length) {
    look(source, { ...object, end: source.bytes.length }, role, facts)
  }
}

/** Nobody makes longer chains of actions. */
const mostRounds = 8

/** Whether an action that opens another file runs without a click, through any object that has its number. */
function runsByItself(sources: readonly PdfObjects[], facts: Facts): boolean {
  const done = { opening: new Set<number>(), automatic: new Set<number>(), triggers: new Set<number>() }
  for (let round = 0; round < mostRounds; round++) {
    let isDone = true
    for (const role of actingRoles) {
      const wanted = new Set([...facts[role]].filter((number) => !done[role].has(number)))
      if (wanted.size === 0) continue
      isDone = false
      for (const number of wanted) done[role].add(number)
      for (const source of sources) {
        for (const object of reachedObjects(source, wanted)) lookUntilNext(source, object, role, facts)
      }
      if (facts.isActive) return true
    }
    if (isDone) return false
  }
  return true
}

/**
 * The objects that a reference to one of these numbers leads to. A table may point into the middle of a number, where
 * object 15 is read as object 5: such a place counts only if a table, plain or packed, points to it, or if the tables
 * cannot be read.
 */
function reachedObjects(found: PdfObjects, numbers: ReadonlySet<number>): FoundObject[] {
  const objects = [...objectsOf(found, numbers)]
  const isSure = ({ number }: FoundObject) => number === null || numbers.has(number)
  const places = new Map(
    objects
      .filter((object) => !isSure(object))
      .flatMap((object) => placesIn(object, numbers).map((at) => [at, object])),
  )
  if (places.size === 0) return objects.filter(isSure)
  const named = new Set<FoundObject>()
  const name = (at: number) => {
    const object = places.get(at)
    if (object) named.add(object)
  }
  const isReadable = namesInTables(found, name)
  namesInText(found.bytes, name)
  return objects.filter((object) => isSure(object) || !isReadable || named.has(object))
}

/** Where in the header of the object one of the numbers begins. */
function placesIn({ number, header }: FoundObject, numbers: ReadonlySet<number>): number[] {
  if (number === null || header === null) return []
  const digits = String(number)
  const places: number[] = []
  for (let skipped = 1; skipped < digits.length; skipped++)
    if (numbers.has(Number(digits.slice(skipped)))) places.push(header + skipped)
  return places
}

/** Reports every whole number in the file, because rows of tables are written in many ways. */
function namesInText(bytes: Buffer, name: (at: number) => void): void {
  let value = -1
  for (const byte of bytes) {
    const isDigit = byte >= 48 && byte <= 57
    if (isDigit) value = Math.min((value < 0 ? 0 : value * 10) + byte - 48, Number.MAX_SAFE_INTEGER)
    else if (value >= 0) {
      name(value)
      value = -1
    }
  }
}

/** Reports every position in packed tables. False: one of them cannot be read. */
function namesInTables(found: PdfObjects, name: (at: number) => void): boolean {
  for (const stream of found.streams) {
    const dictionary = dictionaryAt(found.bytes, stream.dictionary)
    const type = dictionary?.get('Type')
    if (!dictionary || type?.kind !== 'name' || type.text !== 'XRef') continue
    const widths = widthsOf(dictionary)
    const rows = unpackedStream(found, stream, dictionary)
    if (!widths || !rows) return false
    const [type0, place, generation] = widths
    const width = type0 + place + generation
    for (let at = 0; at + width <= rows.length; at += width) {
      let value = 0
      for (let i = 0; i < place; i++) value = value * 256 + rows[at + type0 + i]!
      name(value)
    }
  }
  return true
}

function widthsOf(dictionary: PdfDictionary): [number, number, number] | null {
  const widths = dictionary.get('W')
  if (widths?.kind !== 'array' || widths.items.length !== 3) return null
  const found = widths.items.map((item) => (item.kind === 'number' ? item.value : -1))
  return found.every((width) => width >= 0 && width <= 8) && found[1]! > 0
    ? (found as [number, number, number])
    : null
}

const mostKeys = 4
const mostDictionaries = 8

/** Each key that opens the file without a password. Null: there are too many. */
function keysOf({ bytes, encryption, identifiers }: PdfObjects): Decrypt[] | null {
  if (encryption.length === 0) return []
  const known = new Set<string>()
  for (const at of identifiers) {
    const value = valueAt(bytes, at)
    const first = value?.kind === 'array' ? value.items[0] : undefined
    if (first?.kind === 'string') known.add(first.bytes.toString('latin1'))
    if (known.size > mostDictionaries) return null
  }
  const keys: Decrypt[] = []
  const tried = new Set<string>()
  for (const at of encryption) {
    const dictionary = dictionaryAt(bytes, at)
    const written = JSON.stringify(dictionary, (_, value: unknown) =>
      value instanceof Map ? [...value] : value,
    )
    if (!dictionary || tried.has(written)) continue
    tried.add(written)
    if (tried.size > mostDictionaries) return null
    for (const identifier of [...known, '']) {
      const key = decryptionOf(dictionary, Buffer.from(identifier, 'latin1'))
      if (key) keys.push(key)
      if (keys.length > mostKeys) return null
      // Newer encryption does not depend on the identifier.
      if (key) break
    }
  }
  return keys
}
