/**
 * Adds a place for a signature to a PDF, as one more revision (ISO 32000-2, 12.8; ETSI EN 319 142-1): an invisible
 * field on the first page whose signature covers everything but its own digits.
 *
 *   the bytes before │ before │ < digits of the signature > │ after
 *   └──────── signed ─────────┘                             └ signed ┘
 *
 * The same bytes, time and room always give the same revision, so nothing has to be kept until the signature comes.
 */
import { createHash } from 'node:crypto'
import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  PDFString,
  type PDFObject,
} from '@cantoo/pdf-lib'
import { openOriginal, Unprintable, type Original } from './original.ts'
import { outputTo, putTable } from './write.ts'

export type SignatureIncrement = { before: Buffer; after: Buffer; gap: Gap }

/** The place of the signature with its angle brackets: the first byte, and the one behind it. */
export type Gap = { from: number; to: number }

/** `at`: the time of signing as the PDF states it; `room`: for how many bytes of a signature. */
export async function signatureIncrement(
  bytes: Buffer,
  { at, room }: { at: Date; room: number },
): Promise<SignatureIncrement> {
  const original = await openOriginal(bytes)
  // A PDF that has to be rewritten would become another document than the one whose hash is stored.
  if (!original.before) throw new Unprintable('broken')
  const { context } = original
  const [signature, widget] = [context.nextRef(), context.nextRef()]
  addToPage(original, widget)
  const name = addToForm(original, widget)
  context.assign(widget, widgetOf(original, { signature, name }))

  const pieces: Buffer[] = []
  const out = outputTo(async (piece) => void pieces.push(piece), bytes.length)
  await out.put(Buffer.from('\n'))
  for (const [ref, object] of context.enumerateIndirectObjects()) await out.putObject(ref, object)
  await out.begin(signature)
  await out.put(Buffer.from(signatureStart(at), 'latin1'))
  const rangeAt = out.at() - bytes.length
  await out.put(Buffer.from(`${' '.repeat(rangeLength)}] /Contents `, 'latin1'))
  await out.flush()
  const [from, before] = [out.at(), Buffer.concat(pieces.splice(0))]
  const to = from + room * 2 + 2
  out.skip(to - from)
  await out.put(Buffer.from(' >>\nendobj\n'))
  await putTable(out, original, idOf(bytes, at))
  await out.flush()
  const after = Buffer.concat(pieces)
  before.write(`0 ${from} ${to} ${after.length}`, rangeAt, 'latin1')
  return { before, after, gap: { from, to } }
}

/** Enough for three numbers of ten digits. */
const rangeLength = 40

function signatureStart(at: Date): string {
  const time = at.toISOString().replace(/[-:T]/g, '').slice(0, 14)
  return `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /M (D:${time}Z) /ByteRange [`
}

/** The id of this revision, derived from its content. */
function idOf(bytes: Buffer, at: Date): string {
  return createHash('sha256').update(bytes).update(at.toISOString()).digest('hex').slice(0, 32)
}

function widgetOf(
  { context, pages, resolve }: Original,
  { signature, name }: { signature: PDFRef; name: string },
): PDFDict {
  return context.obj({
    Type: 'Annot',
    Subtype: 'Widget',
    FT: 'Sig',
    T: PDFString.of(name),
    V: signature,
    Rect: [0, 0, 0, 0],
    // Printed and locked.
    F: 132,
    P: firstPage(pages.ref, resolve),
  })
}

function addToPage({ context, pages, resolve }: Original, widget: PDFRef): void {
  const ref = firstPage(pages.ref, resolve)
  const page = resolve(ref)
  if (!(page instanceof PDFDict)) throw new Unprintable('broken')
  page.set(PDFName.of('Annots'), withMore(context, resolve(page.get(PDFName.of('Annots'))), widget))
  context.assign(ref, page)
}

const deepest = 64

function firstPage(root: PDFRef, resolve: Original['resolve']): PDFRef {
  let ref = root
  for (let depth = 0; depth < deepest; depth++) {
    const node = resolve(ref)
    const kids = node instanceof PDFDict ? resolve(node.get(PDFName.of('Kids'))) : undefined
    if (!(kids instanceof PDFArray)) return ref
    const first = kids.asArray().find((kid) => hasPages(resolve(kid), resolve))
    if (!(first instanceof PDFRef)) break
    ref = first
  }
  throw new Unprintable('broken')
}

/** Some writers leave empty nodes in the tree. */
function hasPages(node: PDFObject | undefined, resolve: Original['resolve']): boolean {
  if (!(node instanceof PDFDict)) return false
  const kids = resolve(node.get(PDFName.of('Kids')))
  return !(kids instanceof PDFArray) || kids.size() > 0
}

/** Returns the name of the new field. */
function addToForm({ context, catalog, resolve }: Original, widget: PDFRef): string {
  const there = catalog.dict.get(PDFName.of('AcroForm'))
  const found = resolve(there)
  const form = found instanceof PDFDict ? found : context.obj({})
  if (form.has(PDFName.of('XFA'))) throw new Unprintable('dynamic')
  const fields = resolve(form.get(PDFName.of('Fields')))
  const name = freeName(fields, resolve)
  form.set(PDFName.of('Fields'), withMore(context, fields, widget))
  // Both flags: the file has signatures, and may only be appended to (table 225).
  form.set(PDFName.of('SigFlags'), PDFNumber.of(3))
  if (there instanceof PDFRef && found instanceof PDFDict) {
    context.assign(there, form)
    return name
  }
  catalog.dict.set(PDFName.of('AcroForm'), form)
  context.assign(catalog.ref, catalog.dict)
  return name
}

function withMore(context: Original['context'], list: PDFObject | undefined, added: PDFRef): PDFArray {
  return context.obj([...(list instanceof PDFArray ? list.asArray() : []), added])
}

function freeName(fields: PDFObject | undefined, resolve: Original['resolve']): string {
  const taken = new Set<string>()
  for (const one of fields instanceof PDFArray ? fields.asArray() : []) {
    const field = resolve(one)
    const name = field instanceof PDFDict ? resolve(field.get(PDFName.of('T'))) : undefined
    if (name instanceof PDFString || name instanceof PDFHexString) taken.add(name.decodeText())
  }
  let number = taken.size + 1
  while (taken.has(`Signature${number}`)) number++
  return `Signature${number}`
}
