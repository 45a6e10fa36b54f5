/**
 * A PDF that sheets are to be added to. Where its tables are right, what is new is written behind the original's bytes,
 * which stay as they are, and with them pages, forms and signatures inside. Where they are not, or where it is encrypted
 * for printing only, all its objects are read and written anew.
 */
import {
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  PDFRef,
  PDFString,
  type PDFObject,
} from '@cantoo/pdf-lib'
import {
  Damaged,
  numberIn,
  objectAt,
  parsed,
  readCrossReferences,
  unpacked,
  type CrossReferences,
} from './cross-references.ts'

export type Original = {
  /** What is registered or assigned here is written. */
  context: PDFContext
  resolve: (object: PDFObject | undefined) => PDFObject | undefined
  catalog: { ref: PDFRef; dict: PDFDict }
  pages: { ref: PDFRef; dict: PDFDict; count: number }
  info: PDFObject | undefined
  id: PDFObject | undefined
  /** Null: everything is written anew. */
  before: { length: number; references: CrossReferences } | null
}

/** Why nothing can be added to a PDF. */
export type PrintFault =
  /** It opens only with a password. */
  | 'encrypted'
  /** It cannot be read, or not the same way twice. */
  | 'broken'
  /** Its pages are made by a program when it is opened (XFA). */
  | 'dynamic'
  /** It takes more time or memory than there is. */
  | 'too-much'

/** Of this original no printable document can be made. */
export class Unprintable extends Error {
  readonly fault: PrintFault
  constructor(fault: PrintFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

export async function openOriginal(bytes: Buffer): Promise<Original> {
  const context = PDFContext.create()
  const references = unlessDamaged(() => readCrossReferences(bytes, context))
  const isEncrypted = references?.trailer.has(PDFName.of('Encrypt')) === true
  const opened = references && !isEncrypted && unlessDamaged(() => toAddTo(bytes, references, context))
  return opened || toWriteAnew(bytes, isEncrypted ? references : null)
}

function unlessDamaged<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof Damaged || (error instanceof Unprintable && error.fault === 'broken')) return null
    throw error
  }
}

function toAddTo(bytes: Buffer, references: CrossReferences, context: PDFContext): Original {
  const { trailer, size } = references
  context.largestObjectNumber = size - 1
  const resolve = objectsOf(bytes, references, context)
  const info = infoOf(trailer.get(PDFName.of('Info')), resolve)
  const id = resolve(trailer.get(PDFName.of('ID')))
  const parts = partsOf(context, resolve, trailer.get(PDFName.of('Root')))
  return { ...parts, info, id, before: { length: bytes.length, references } }
}

/** `encrypted`: the references of a file whose strings have to be set free. */
async function toWriteAnew(bytes: Buffer, encrypted: CrossReferences | null): Promise<Original> {
  // The empty password opens what is only kept from being changed.
  const { context } = await loaded(bytes, encrypted ? { password: '' } : {})
  if (encrypted) setFree(context, encrypted)
  const { Root, Info, ID } = context.trailerInfo
  const resolve = (object: PDFObject | undefined) => context.lookup(object)
  return { ...partsOf(context, resolve, Root), info: infoOf(Info, resolve), id: resolve(ID), before: null }
}

/** What was encrypted is written as it is; what said how is left out. */
function setFree(context: PDFContext, { trailer, places }: CrossReferences): void {
  const encryption = trailer.get(PDFName.of('Encrypt'))
  const dict = context.lookup(encryption)
  const isMetadataOpen =
    dict instanceof PDFDict && String(dict.get(PDFName.of('EncryptMetadata'))) === 'false'
  if (encryption instanceof PDFRef) context.delete(encryption)
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    const place = places.get(ref.objectNumber)
    // Strings in streams of objects were encrypted with their stream, and were read as any others.
    if (place !== undefined && place !== 'free' && 'at' in place)
      context.assign(ref, withExactStrings(object))
    // It was never encrypted, and was decrypted all the same.
    const isMetadata =
      object instanceof PDFRawStream && object.dict.get(PDFName.of('Type')) === PDFName.of('Metadata')
    if (isMetadata && isMetadataOpen) context.delete(ref)
  }
}

/**
 * The library keeps what it decrypted as if it had been written so: a bracket or a backslash among the letters would be
 * taken for a sign of the format. In digits there is nothing to be mistaken.
 */
function withExactStrings(object: PDFObject): PDFObject {
  if (object instanceof PDFString)
    return PDFHexString.of(Buffer.from(object.asString(), 'latin1').toString('hex'))
  if (object instanceof PDFArray) {
    for (const [i, item] of object.asArray().entries()) object.set(i, withExactStrings(item))
  }
  const dict = object instanceof PDFRawStream ? object.dict : object
  if (dict instanceof PDFDict) for (const [key, item] of dict.entries()) dict.set(key, withExactStrings(item))
  return object
}

/** Some writers refer to one that is not there, which makes readers search the whole file. */
function infoOf(info: PDFObject | undefined, resolve: Original['resolve']): PDFObject | undefined {
  return info instanceof PDFRef && resolve(info) instanceof PDFDict ? info : undefined
}

async function loaded(bytes: Buffer, options: { password?: string }): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, { updateMetadata: false, preserveXFA: true, ...options })
  } catch (error) {
    const isPassword =
      options.password !== undefined && error instanceof Error && /password/i.test(error.message)
    throw new Unprintable(isPassword ? 'encrypted' : 'broken', { cause: error })
  }
}

function partsOf(
  context: PDFContext,
  resolve: Original['resolve'],
  root: PDFObject | undefined,
): Pick<Original, 'context' | 'resolve' | 'catalog' | 'pages'> {
  const catalog = resolve(root)
  if (!(root instanceof PDFRef) || !(catalog instanceof PDFDict)) throw new Unprintable('broken')
  const ref = catalog.get(PDFName.of('Pages'))
  const pages = resolve(ref)
  if (!(ref instanceof PDFRef) || !(pages instanceof PDFDict)) throw new Unprintable('broken')
  const count = countPages(ref, resolve)
  return { context, resolve, catalog: { ref: root, dict: catalog }, pages: { ref, dict: pages, count } }
}

/** Deeper than any writer nests them; more than anybody prints. */
const most = { depth: 64, pages: 20_000 }

function countPages(root: PDFRef, resolve: Original['resolve']): number {
  const seen = new Set<PDFRef>()
  const count = (ref: PDFObject, depth: number): number => {
    if (!(ref instanceof PDFRef) || seen.has(ref) || depth > most.depth) throw new Unprintable('broken')
    seen.add(ref)
    const node = resolve(ref)
    if (!(node instanceof PDFDict)) throw new Unprintable('broken')
    const kids = resolve(node.get(PDFName.of('Kids')))
    if (!(kids instanceof PDFArray)) return 1
    // As many pages as children: each is one, and none needs to be read.
    if (kids.size() > 0 && numberIn(node, 'Count') === kids.size()) return kids.size()
    return kids.asArray().reduce((sum, kid) => sum + count(kid, depth + 1), 0)
  }
  const pages = count(root, 0)
  if (pages === 0) throw new Unprintable('broken')
  if (pages > most.pages) throw new Unprintable('too-much')
  return pages
}

/** Reads objects when they are asked for: of a file of thousands, a handful is. */
function objectsOf(bytes: Buffer, references: CrossReferences, context: PDFContext): Original['resolve'] {
  const streams = new Map<number, (index: number) => PDFObject>()
  const place = (ref: PDFRef): PDFObject | undefined => {
    const found = references.places.get(ref.objectNumber)
    if (found === undefined || found === 'free') return undefined
    if (!('inStream' in found)) return objectAt(bytes, found.at, context).object
    let stream = streams.get(found.inStream)
    if (!stream) streams.set(found.inStream, (stream = objectsIn(place(PDFRef.of(found.inStream)), context)))
    return stream(found.index)
  }
  return (object) => (object instanceof PDFRef ? place(object) : object)
}

function objectsIn(stream: PDFObject | undefined, context: PDFContext): (index: number) => PDFObject {
  if (!(stream instanceof PDFRawStream)) throw new Damaged('Not a stream of objects')
  const data = unpacked(stream)
  const first = numberIn(stream.dict, 'First') ?? 0
  const head = data.toString('latin1', 0, first).trim().split(/\s+/).map(Number)
  return (index) => {
    const offset = head[index * 2 + 1]
    if (offset === undefined || !Number.isInteger(offset)) throw new Damaged('No such object in the stream')
    return parsed(data, first + offset, context)
  }
}
