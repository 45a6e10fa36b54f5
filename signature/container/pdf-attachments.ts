/**
 * The files embedded in a PDF (ISO 32000-2, 7.11.4): in its name tree, beside its pages and as notes on them.
 * Document cards carry their original and its signatures there.
 */
import { isPdf, openPdf, viewOf, type View } from '../pdf/document.ts'
import { unpacked } from '../pdf/filters.ts'
import { textOf } from '../pdf/signature-fields.ts'
import {
  PdfError,
  isArray,
  isDict,
  isName,
  isRef,
  isStream,
  isString,
  idOf,
  type PdfDict,
  type PdfStream,
  type PdfValue,
} from '../pdf/values.ts'
import type { InputFile } from './input-file.ts'

/** A card has its original and its signatures; a file with more than this is something else. */
const limits = { files: 300, bytes: 256 * 1024 ** 2, nodes: 20_000, depth: 32 }

/** The embedded files in their order, each once. Null: this reader cannot read the PDF. */
export async function pdfAttachments(bytes: Uint8Array): Promise<InputFile[] | null> {
  if (!isPdf(bytes)) return null
  try {
    const document = await openPdf(bytes)
    return await filesOf(await viewOf(document, document.revisions.length - 1))
  } catch (error) {
    if (error instanceof PdfError) return null
    throw error
  }
}

async function filesOf(view: View): Promise<InputFile[]> {
  const { catalog, resolve } = view
  const specifications = new Map<string, PdfDict>()
  const budget = { nodes: limits.nodes }
  const add = (value: PdfValue | undefined) => {
    const one = resolve(value)
    // The same file is often referred to by both the tree and the catalog.
    const key = isRef(value) ? idOf(value) : `direct ${specifications.size}`
    if (isDict(one)) specifications.set(key, one)
  }
  const names = resolve(catalog.entries.get('Names'))
  if (isDict(names)) visitNames(names.entries.get('EmbeddedFiles'), view, add, budget, 0)
  for (const one of listOf(catalog.entries.get('AF'), view)) add(one)
  visitPages(catalog.entries.get('Pages'), view, add, budget, 0)
  if (specifications.size > limits.files) return []
  const files: InputFile[] = []
  let total = 0
  for (const specification of specifications.values()) {
    const embedded = streamOf(specification, view)
    if (!embedded) continue
    const content = await unpacked(embedded, limits.bytes)
    total += content.length
    if (total > limits.bytes) return []
    const name = nameOf(specification, view) ?? `${files.length + 1}`
    files.push({ name, blob: new Blob([Uint8Array.from(content)]) })
  }
  return files
}

type Add = (value: PdfValue | undefined) => void
type Budget = { nodes: number }

function visitNames(value: PdfValue | undefined, view: View, add: Add, budget: Budget, depth: number): void {
  const node = view.resolve(value)
  if (!isDict(node)) return
  spend(budget, depth)
  for (const kid of listOf(node.entries.get('Kids'), view)) visitNames(kid, view, add, budget, depth + 1)
  const pairs = listOf(node.entries.get('Names'), view)
  for (let i = 1; i < pairs.length; i += 2) add(pairs[i])
}

function visitPages(value: PdfValue | undefined, view: View, add: Add, budget: Budget, depth: number): void {
  const node = view.resolve(value)
  if (!isDict(node)) return
  spend(budget, depth)
  for (const kid of listOf(node.entries.get('Kids'), view)) visitPages(kid, view, add, budget, depth + 1)
  for (const one of listOf(node.entries.get('AF'), view)) add(one)
  for (const one of listOf(node.entries.get('Annots'), view)) {
    const note = view.resolve(one)
    if (isDict(note) && isName(view.resolve(note.entries.get('Subtype')), 'FileAttachment'))
      add(note.entries.get('FS'))
  }
}

function spend(budget: Budget, depth: number): void {
  if (--budget.nodes < 0 || depth > limits.depth) throw new PdfError('Too many nodes')
}

function listOf(value: PdfValue | undefined, { resolve }: View): readonly PdfValue[] {
  const list = resolve(value)
  return isArray(list) ? list : []
}

function streamOf({ entries }: PdfDict, { resolve }: View): PdfStream | null {
  const embedded = resolve(entries.get('EF'))
  if (!isDict(embedded)) return null
  const stream = resolve(embedded.entries.get('UF') ?? embedded.entries.get('F'))
  return isStream(stream) ? stream : null
}

/** The name to show: without folders and control characters. */
function nameOf({ entries }: PdfDict, { resolve }: View): string | null {
  for (const key of ['UF', 'F']) {
    const value = resolve(entries.get(key))
    if (!isString(value)) continue
    const name = textOf(value)
      .split(/[/\\]/)
      .at(-1)!
      .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
      .trim()
    if (name !== '') return name
  }
  return null
}
