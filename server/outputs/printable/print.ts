/**
 * Assembles the printable document: the unchanged pages of the original, then the card, with the original and every
 * signature attached. Of the original, only the catalogue and the root of the page tree are written again.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PDFArray, PDFDict, PDFHexString, PDFName, PDFString, type PDFRef } from '@cantoo/pdf-lib'
import { textsOf } from '@kelisim/texts/server.ts'
import { sheetSize, type Drawing, type Paper } from '@kelisim/pdf/drawing.ts'
import { drawCompactSheets } from './compact-sheets.ts'
import { openFooterMark } from './footer-mark.ts'
import { drawInfoBlock, type InfoBlock } from './info-block.ts'
import { numberIn } from '@kelisim/pdf/incremental/cross-references.ts'
import { openOriginal, Unprintable, type Original } from '@kelisim/pdf/incremental/original.ts'
import { pagesOf } from './page-annotations.ts'
import type { PrintableJob, PrintableSignature } from './printable-job.ts'
import { openSealMarks, sealsOf } from './seal-marks.ts'
import { frame, frameCodes } from './sheets.ts'
import { signatureFacts, type SignatureFacts } from './signature-facts.ts'
import { drawSignatureSheets } from './signature-sheet.ts'
import { openTypeFaces } from '@kelisim/pdf/type-faces.ts'
import { writePrintable, type EmbeddedStream } from '@kelisim/pdf/incremental/write.ts'

export async function printDocument(job: PrintableJob): Promise<{ size: number }> {
  const original = await openOriginal(await readFile(job.originalPath))
  const signatures = inOrder(job.signatures)
  const ownFiles = countFiles(original)
  const sheets = drawCard(original, job, signatures, ownFiles)
  const embedded = embedFiles(original, job, signatures)
  addSheets(original, sheets)
  changeCatalog(original, embedded)
  const id = createHash('sha256').update(JSON.stringify(job.facts)).digest('hex').slice(0, 32)
  const size = await writePrintable(original, { ...job, embedded: embedded.map(({ stream }) => stream), id })
  return { size }
}

type Signed = { signature: PrintableSignature; facts: SignatureFacts }

/**
 * Sorts signatures by timestamp, as the standard of the card requires; one without a timestamp, by the time of
 * receipt.
 */
function inOrder(signatures: readonly PrintableSignature[]): Signed[] {
  const timeOf = ({ signature, facts }: Signed) => facts.timestamp?.at ?? signature.acceptedAt
  return signatures
    .map((signature) => ({ signature, facts: signatureFacts(signature.cms) }))
    .toSorted((one, other) => timeOf(one).getTime() - timeOf(other).getTime())
}

function drawCard(
  original: Original,
  job: PrintableJob,
  signatures: readonly Signed[],
  ownFiles: number,
): { contents: PDFRef; resources: PDFDict }[] {
  const { context, pages } = original
  const { language, facts } = job
  const faces = openTypeFaces()
  const paper: Paper = { context, faces, pictures: new Map() }
  const { areTimesShown } = facts
  const compact =
    facts.isCompact && signatures.length > 0
      ? drawCompactSheets(paper, { language, areTimesShown, signatures })
      : null
  const sheetsOf = compact
    ? []
    : signatures.map((signed, i) =>
        drawSignatureSheets(paper, { language, number: i + 1, areTimesShown, ...signed }),
      )
  const block: InfoBlock = {
    facts,
    language,
    codes: job.codes,
    pages: pages.count,
    ownFiles,
    ownSheets: 1,
    hasSeals: hasSeals(original),
    compactSheets: compact?.length ?? null,
    signatures: signatures.map(({ signature, facts: { name } }, i) => ({
      name,
      fileName: signature.fileName,
      sheets: sheetsOf[i]?.length ?? 0,
      hasPassed: signature.verdict.indication === 'TOTAL-PASSED',
    })),
  }
  let info: Drawing[] = drawInfoBlock(paper, block)
  // The block contains its own number of sheets, so it is drawn twice.
  if (info.length > 1) info = drawInfoBlock(paper, { ...block, ownSheets: info.length })
  const drawings = [...info, ...(compact ?? []), ...sheetsOf.flat()]
  const count = pages.count + drawings.length
  const codes = frameCodes(facts)
  for (const [i, drawing] of drawings.entries()) {
    frame(drawing, codes, job, { number: pages.count + i + 1, count })
  }
  const mark = facts.hasFooterMark ? openFooterMark(paper, footerWords(job)) : null
  const placed = sealsOf(job, signatures)
  const seals = placed.length > 0 ? openSealMarks(paper, placed) : null
  const fonts = faces.embed(context)
  const marked = mark || seals ? pagesOf(original) : []
  mark?.finish(original, marked, fonts)
  seals?.finish(original, marked, fonts)
  return drawings.map((drawing) => drawing.finish(fonts))
}

function footerWords({ facts, language }: PrintableJob): string {
  const t = textsOf(language, 'outputs-printable')
  return t('footerMark', { id: facts.requestId, system: facts.systemName, address: facts.verifyUrl })
}

const pointsIn = (millimetres: number) => Math.round((millimetres * 72 * 100) / 25.4) / 100

/**
 * Puts a new root above the old one and the added sheets, so that these sheets do not inherit its size or rotation.
 */
function addSheets(
  { context, pages, catalog }: Original,
  sheets: readonly { contents: PDFRef; resources: PDFDict }[],
): void {
  const [root, card] = [context.nextRef(), context.nextRef()]
  const box = [0, 0, pointsIn(sheetSize.width), pointsIn(sheetSize.height)]
  const kids = sheets.map(({ contents, resources }) =>
    context.register(
      context.obj({
        Type: 'Page',
        Parent: card,
        MediaBox: box,
        Rotate: 0,
        Resources: resources,
        Contents: contents,
      }),
    ),
  )
  context.assign(card, context.obj({ Type: 'Pages', Parent: root, Count: sheets.length, Kids: kids }))
  const count = pages.count + sheets.length
  context.assign(root, context.obj({ Type: 'Pages', Count: count, Kids: [pages.ref, card] }))
  const old = pages.dict.clone(context)
  old.set(PDFName.of('Parent'), root)
  if (old.has(PDFName.of('Kids'))) old.set(PDFName.of('Count'), context.obj(pages.count))
  context.assign(pages.ref, old)
  const changed = catalog.dict.clone(context)
  changed.set(PDFName.of('Pages'), root)
  context.assign(catalog.ref, changed)
  catalog.dict = changed
}

type Embedded = { name: string; specification: PDFRef; stream: EmbeddedStream }

/** The original first, then the signatures: software that reads such cards expects this order. */
function embedFiles({ context }: Original, job: PrintableJob, signatures: readonly Signed[]): Embedded[] {
  const t = textsOf(job.language, 'outputs-printable')
  const date = PDFString.fromDate(job.facts.madeAt)
  const embed = (
    fileName: string,
    description: string,
    subtype: string,
    from: EmbeddedStream['from'],
    size: number | null,
  ): Embedded => {
    const ref = context.nextRef()
    const parameters = { ModDate: date, CreationDate: date, ...(size !== null && { Size: size }) }
    const dict = context.obj({ Type: 'EmbeddedFile', Subtype: subtype, Params: parameters })
    const name = PDFHexString.fromText(fileName)
    const specification = context.register(
      context.obj({
        Type: 'Filespec',
        F: name,
        UF: name,
        EF: { F: ref, UF: ref },
        Desc: PDFHexString.fromText(description),
        AFRelationship: 'Unspecified',
      }),
    )
    return { name: fileName, specification, stream: { ref, dict, from } }
  }
  const { fileName: original } = job.facts
  const note = t(job.signedPath === undefined ? 'files.original' : 'files.signed')
  return [
    embed(original, note, 'application/pdf', { path: job.signedPath ?? job.originalPath }, null),
    ...signatures.flatMap(({ signature: { fileName, cms }, facts: { name } }) =>
      fileName === null
        ? []
        : embed(
            fileName,
            t('files.signature', { name }),
            'application/pkcs7-signature',
            { bytes: cms },
            cms.length,
          ),
    ),
  ]
}

/**
 * Actions of the original on opening (scripts, launching programs, showing attachments instead of pages) are removed,
 * because they would change what is seen. Its attachments stay inside the embedded original, because readers of cards take
 * every file after the first for a signature.
 */
function changeCatalog(
  { context, resolve, catalog: { ref, dict } }: Original,
  embedded: readonly Embedded[],
): void {
  const names = resolve(dict.get(PDFName.of('Names')))
  const changed = names instanceof PDFDict ? names.clone(context) : context.obj({})
  changed.delete(PDFName.of('JavaScript'))
  // A name tree is sorted by name: the numbers in front keep the order of embedding.
  const rows = embedded.flatMap(({ name, specification }, i) => [
    PDFHexString.fromText(`${String(i + 1).padStart(4, '0')} ${name}`),
    specification,
  ])
  changed.set(PDFName.of('EmbeddedFiles'), context.obj({ Names: rows }))
  dict.set(PDFName.of('Names'), changed)
  for (const key of ['AA', 'Collection']) dict.delete(PDFName.of(key))
  const opening = resolve(dict.get(PDFName.of('OpenAction')))
  const isHarmless = opening instanceof PDFArray || isGoTo(opening)
  if (!isHarmless) dict.delete(PDFName.of('OpenAction'))
  withoutXfa({ context, resolve }, dict)
  // Attachments need PDF 1.4; the version here applies if it is later than that of the file header.
  if (!dict.has(PDFName.of('Version'))) dict.set(PDFName.of('Version'), PDFName.of('1.7'))
  context.assign(ref, dict)
}

function isGoTo(action: unknown): boolean {
  return action instanceof PDFDict && action.get(PDFName.of('S')) === PDFName.of('GoTo')
}

/** Removes an XFA form: readers that support it would show it instead of the added sheets. */
function withoutXfa({ context, resolve }: Pick<Original, 'context' | 'resolve'>, catalog: PDFDict): void {
  const form = resolve(catalog.get(PDFName.of('AcroForm')))
  if (!(form instanceof PDFDict) || !form.has(PDFName.of('XFA'))) return
  const fields = resolve(form.get(PDFName.of('Fields')))
  const isDynamic = String(catalog.get(PDFName.of('NeedsRendering'))) === 'true'
  if (isDynamic || !(fields instanceof PDFArray) || fields.size() === 0) throw new Unprintable('dynamic')
  const changed = form.clone(context)
  changed.delete(PDFName.of('XFA'))
  catalog.set(PDFName.of('AcroForm'), changed)
}

/** Whether the original has PDF signatures in form fields. */
function hasSeals({ resolve, catalog }: Original): boolean {
  const form = resolve(catalog.dict.get(PDFName.of('AcroForm')))
  return form instanceof PDFDict && ((numberIn(form, 'SigFlags') ?? 0) & 1) === 1
}

const most = { nodes: 1000, depth: 16 }

function countFiles({ resolve, catalog }: Original): number {
  const names = resolve(catalog.dict.get(PDFName.of('Names')))
  let left = most.nodes
  const count = (node: unknown, depth: number): number => {
    if (!(node instanceof PDFDict) || depth > most.depth || left-- <= 0) return 0
    const own = resolve(node.get(PDFName.of('Names')))
    const kids = resolve(node.get(PDFName.of('Kids')))
    const below = kids instanceof PDFArray ? kids.asArray().map((kid) => count(resolve(kid), depth + 1)) : []
    return below.reduce((sum, one) => sum + one, own instanceof PDFArray ? Math.floor(own.size() / 2) : 0)
  }
  return names instanceof PDFDict ? count(resolve(names.get(PDFName.of('EmbeddedFiles'))), 0) : 0
}
