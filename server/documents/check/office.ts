/**
 * Checks that a file is a docx or xlsx without macros or other active content, and of limited size when unpacked.
 * Declared sizes are checked first; then everything is unpacked and measured, because declared sizes may be wrong.
 */
import type { FileHandle } from 'node:fs/promises'
import yauzl, { type Entry, type ZipFile } from 'yauzl'
import { elementsOf, faultOfRelationship, isObjectPart, readPart, type PartReader } from './active-content.ts'
import type { CheckJob, CheckResult } from './check-job.ts'
import { endsAsZip, oleBeginning, readAt, zipBeginning } from './file-signatures.ts'

const limits = { entries: 1000, ratio: 100, unpacked: 200 * 1024 * 1024 }
/** The largest part that is read as text; real files stay far below it. */
const largestPart = 4 * 1024 * 1024

const mainTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
}

export async function checkOffice(
  file: FileHandle,
  { path, size, format }: CheckJob & { format: 'docx' | 'xlsx' },
): Promise<CheckResult> {
  const beginning = await readAt(file, 0, 1024)
  if (beginning.subarray(0, 8).equals(oleBeginning)) {
    return (await isEncryptedPackage(file, size)) ? 'encrypted' : 'mismatch'
  }
  if (!beginning.subarray(0, 4).equals(zipBeginning)) {
    return beginning.subarray(0, 5).toString('latin1') !== '%PDF-' && (await endsAsZip(file, size))
      ? 'two-formats'
      : 'mismatch'
  }
  if (beginning.includes('%PDF-')) return 'two-formats'
  if (!(await endsAsZip(file, size))) return 'broken'
  try {
    return await checkZip(path, size, format)
  } catch {
    return 'broken'
  }
}

type Format = keyof typeof mainTypes

async function checkZip(path: string, size: number, format: Format): Promise<CheckResult> {
  const zip = await yauzl.openPromise(path, { lazyEntries: true, autoClose: false })
  try {
    if (zip.entryCount > limits.entries) return 'bomb'
    const entries: Entry[] = []
    // The list of names alone may be too long, so it is counted while it is read.
    for await (const entry of zip.eachEntry()) {
      entries.push(entry)
      if (entries.length > limits.entries) return 'bomb'
    }
    const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    if (unpacked > Math.min(limits.unpacked, size * limits.ratio)) return 'bomb'
    if (entries.some((entry) => entry.isEncrypted())) return 'encrypted'
    const names = entries.map((entry) => entry.fileName.toLowerCase())
    if (new Set(names).size !== names.length) return 'broken'
    if (names.some((name) => /vbaproject\.bin$|(^|\/)macrosheets\//.test(name))) return 'macros'
    return await checkParts(zip, entries, format)
  } finally {
    zip.close()
  }
}

/** Unpacks everything, and reads the parts that describe the others. */
async function checkParts(zip: ZipFile, entries: readonly Entry[], format: Format): Promise<CheckResult> {
  let types = ''
  const relations: string[] = []
  for (const entry of entries) {
    const name = entry.fileName.toLowerCase()
    const isTypes = name === '[content_types].xml'
    const isRelations = name.endsWith('.rels')
    const reader = () => readPart({ isWorkbook: format === 'xlsx' })
    const { text, fault } = await unpack(zip, entry, reader, isTypes || isRelations)
    if (fault !== null) return fault
    if (isTypes) types = text
    if (isRelations) relations.push(text)
  }
  const declared = elementsOf(types).flatMap(
    ({ attributes }) => attributes['ContentType']?.toLowerCase() ?? [],
  )
  const related = relations.flatMap(elementsOf).filter(({ name }) => name === 'Relationship')
  const isMacro = (type = '') => /macroenabled|vbaproject|macrosheet/.test(type.toLowerCase())
  if (declared.some(isMacro) || related.some(({ attributes }) => isMacro(attributes['Type']))) return 'macros'
  for (const { attributes } of related) {
    const { Type: type = '', Target: target = '', TargetMode: mode = '' } = attributes
    const fault = faultOfRelationship({ type, target, isExternal: mode.toLowerCase() === 'external' })
    if (fault !== null) return fault
  }
  if (entries.some((entry) => isObjectPart(entry.fileName))) return 'objects'
  return declared.includes(mainTypes[format]) ? null : 'mismatch'
}

/** yauzl compares with the declared size and stops at the first byte too many. */
async function unpack(
  zip: ZipFile,
  entry: Entry,
  reader: () => PartReader,
  isWanted: boolean,
): Promise<{ text: string; fault: CheckResult }> {
  const stream = await zip.openReadStreamPromise(entry)
  // A part may have any name, so its content shows whether it is XML.
  const isNamedXml = /\.(?:xml|rels|vml)$/i.test(entry.fileName)
  let read: PartReader | null | undefined
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (read === undefined) read = isNamedXml || beginsAsXml(piece) ? reader() : null
    const fault = read?.(piece) ?? null
    if (fault !== null) return { text: '', fault }
    if (!isWanted) continue
    size += piece.length
    if (size > largestPart) throw new Error('a part that lists others is too long')
    pieces.push(piece)
  }
  // In another encoding an office program could read words that are not seen here.
  return { text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)), fault: null }
}

/** A byte order mark and spaces may come first. XML has no control characters, while pictures have many. */
function beginsAsXml(piece: Buffer): boolean {
  const beginning = piece.subarray(0, 256).toString('latin1')
  return /^(?:\xef\xbb\xbf)?\s*<[a-z_:?!]/i.test(beginning) && !/[^\x09\x0a\x0d\x20-\xff]/.test(beginning)
}

/** An encrypted office file is a stream of this name in an old container. */
async function isEncryptedPackage(file: FileHandle, size: number): Promise<boolean> {
  const name = Buffer.from('EncryptedPackage', 'utf16le')
  const step = 1024 * 1024
  for (let at = 0; at < size; at += step) {
    if ((await readAt(file, at, step + name.length)).includes(name)) return true
  }
  return false
}
