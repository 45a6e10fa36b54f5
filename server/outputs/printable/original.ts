/**
 * A PDF that sheets are to be added to. Where its tables are right, what is new is written behind the original's bytes,
 * which stay as they are, and with them pages, forms and signatures inside. Where they are not, or where it is encrypted
 * for printing only, all its objects are read and written anew.
 */
import {
  EncryptedPDFError,
  PDFArray,
  PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRawStream,
  PDFRef,
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
import type { PrintFault } from './printable-job.ts'

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

/** Of this original no printable document can be made. */
export class Unprintable extends Error {
  readonly fault: PrintFault
  constructor(fault: PrintFault, options?: ErrorOptions) {
    super(fault, options)
    this.fault = fault
  }
}

export async function openOriginal(bytes: Buffer): Promise<Original> {
  return toAddTo(bytes) ?? (await toWriteAnew(bytes))
}

function toAddTo(bytes: Buffer): Original | null {
  try {
    const context = PDFContext.create()
    const references = readCrossReferences(bytes, context)
    const { trailer } = references
    if (trailer.has(PDFName.of('Encrypt'))) return null
    context.largestObjectNumber = references.size - 1
    const resolve = objectsOf(bytes, references, context)
    const root = trailer.get(PDFName.of('Root'))
    const info = infoOf(trailer.get(PDFName.of('Info')), resolve)
    const id = resolve(trailer.get(PDFName.of('ID')))
    return { ...partsOf(context, resolve, root), info, id, before: { length: bytes.length, references } }
  } catch (error) {
    if (error instanceof Damaged || (error instanceof Unprintable && error.fault === 'broken')) return null
    throw error
  }
}

async function toWriteAnew(bytes: Buffer): Promise<Original> {
  const { context } = await loaded(bytes)
  const { Root, Info, ID } = context.trailerInfo
  const resolve = (object: PDFObject | undefined) => context.lookup(object)
  const isKept = Info instanceof PDFRef && resolve(Info) instanceof PDFDict
  return {
    ...partsOf(context, resolve, Root),
    info: isKept ? Info : undefined,
    id: resolve(ID),
    before: null,
  }
}

/** Some writers refer to one that is not there, which makes readers search the whole file. */
function infoOf(info: PDFObject | undefined, resolve: Original['resolve']): PDFObject | undefined {
  return info instanceof PDFRef && resolve(info) instanceof PDFDict ? info : undefined
}

async function loaded(bytes: Buffer): Promise<PDFDocument> {
  try {
    // The empty password opens what is only kept from being changed.
    return await PDFDocument.load(bytes, { updateMetadata: false, password: '', preserveXFA: true })
  } catch (error) {
    const isPassword =
      error instanceof EncryptedPDFError || (error instanceof Error && /password/i.test(error.message))
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
