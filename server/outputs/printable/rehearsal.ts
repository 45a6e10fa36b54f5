/**
 * Finds out whether a PDF can be printed with a card by trying it: a sheet is added, then pdf.js, which is independent of
 * the writer, must find the same pages, the sheet after them and the original as attachment.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, open, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist'
import { readAt } from '../../documents/check/file-signatures.ts'
import { unpacksTooLarge } from '../../documents/check/pdf-unpacked.ts'
import { Unprintable } from '@kelisim/pdf/incremental/original.ts'
import { printDocument } from './print.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { PrintableJob } from './printable-job.ts'

/** Loaded with the first PDF, because loading pdf.js takes most of the start of a worker. */
const pdfjs = () => import('pdfjs-dist/legacy/build/pdf.mjs')

export async function faultOf(path: string): Promise<PrintFault | null> {
  const folder = await mkdtemp(join(tmpdir(), 'kelisim-rehearsal-'))
  const outPath = join(folder, 'printed.pdf')
  try {
    if (await unpacksTooLarge(await readFile(path))) return 'too-much'
    await printDocument(rehearsed(path, outPath))
    return (await isSame(path, outPath)) ? null : 'broken'
  } catch (error) {
    if (error instanceof Unprintable) return error.fault
    if (error instanceof Error && error.name === 'PasswordException') return 'encrypted'
    if (error instanceof Error && error.name.endsWith('PDFException')) return 'broken'
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function rehearsed(originalPath: string, outPath: string): PrintableJob {
  const address = 'https://example.kz/verify'
  return {
    originalPath,
    outPath,
    language: 'ru',
    signatures: [],
    facts: {
      requestId: '',
      name: '—',
      registration: null,
      description: '',
      fileName: 'original.pdf',
      signingDate: '2000-01-01',
      sender: { name: '', number: '', confirmedAt: null },
      systemName: '',
      requestUrl: address,
      verifyUrl: address,
      madeAt: new Date(0),
      areTimesShown: false,
      isCompact: false,
      hasFooterMark: false,
      standing: null,
    },
    codes: { letters: null, link: null, validUntil: null },
  }
}

/**
 * A larger attachment is not read back: embedding does not depend on the size, and the reader copies it repeatedly.
 */
const largestUnpacked = 4 * 1024 * 1024

/** The pages to compare: the first, the last, and some in between. */
const compared = 12

async function isSame(path: string, outPath: string): Promise<boolean> {
  const [before, after] = [await opened(path), await opened(outPath)]
  try {
    const [one, other] = [await before.document, await after.document]
    if (other.numPages !== one.numPages + 1) return false
    for (const number of chosen(one.numPages)) {
      const [page, printed] = [await pageOf(one, number), await pageOf(other, number)]
      if (page !== printed) return false
    }
    const [first] = (await other.getAttachments())?.keys() ?? []
    if (first === undefined) return false
    if ((await stat(path)).size > largestUnpacked) return true
    const content = await other.getAttachmentContent(first)
    return content !== null && digest(content) === digest(await readFile(path))
  } finally {
    await before.close()
    await after.close()
  }
}

function chosen(count: number): number[] {
  const step = Math.max(1, (count - 1) / (compared - 1))
  const numbers = Array.from({ length: Math.min(count, compared) }, (_, i) => 1 + Math.round(i * step))
  return [...new Set(numbers)].filter((number) => number <= count)
}

/** The text of the page with its positions, as one string. */
async function pageOf(document: PDFDocumentProxy, number: number): Promise<string> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent()
  const placed = items.map((item) => ('str' in item ? [item.str, item.transform as unknown] : []))
  const annotations = (await page.getAnnotations()) as { subtype: string; rect: number[] }[]
  const marks = annotations.map(({ subtype, rect }) => [subtype, rect])
  const hash = digest(Buffer.from(JSON.stringify([page.view, page.rotate, page.userUnit, placed, marks])))
  page.cleanup()
  return hash
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Opens the PDF so that only the requested ranges are read. */
async function opened(path: string) {
  const { getDocument, PDFDataRangeTransport, VerbosityLevel } = await pdfjs()
  const [file, { size }] = [await open(path), await stat(path)]
  const range = new PDFDataRangeTransport(size, null)
  range.requestDataRange = (begin, end) => {
    void readAt(file, begin, end - begin).then((bytes) => range.onDataRange(begin, new Uint8Array(bytes)))
  }
  const task: PDFDocumentLoadingTask = getDocument({
    range,
    disableAutoFetch: true,
    disableStream: true,
    useSystemFonts: false,
    verbosity: VerbosityLevel.ERRORS,
  })
  return {
    document: task.promise,
    async close() {
      await task.destroy()
      await file.close()
    },
  }
}
