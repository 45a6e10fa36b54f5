/**
 * Checks that a file is a PDF that opens. It must begin as one (readers also accept it later, which makes files of two formats
 * possible), must not be a zip at the same time, must not be too large when unpacked, and pdf.js must open it and its first page.
 */
import type { FileHandle } from 'node:fs/promises'
import type { PDFDocumentLoadingTask } from 'pdfjs-dist'
import type { CheckResult } from './check-job.ts'
import { endsAsZip, readAt } from './file-signatures.ts'
import { unpacksTooLarge } from './pdf-unpacked.ts'

/** Loaded with the first PDF, because it takes most of the start of a worker. */
const pdfjs = () => import('pdfjs-dist/legacy/build/pdf.mjs')

export async function checkPdf(file: FileHandle, size: number): Promise<CheckResult> {
  const beginning = await readAt(file, 0, 1024)
  if (!beginning.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    return beginning.includes('%PDF-') ? 'two-formats' : 'mismatch'
  }
  if (await endsAsZip(file, size)) return 'two-formats'
  if (await unpacksTooLarge(await readAt(file, 0, size))) return 'bomb'
  return opens(file, size)
}

async function opens(file: FileHandle, size: number): Promise<CheckResult> {
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
    return null
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken'
  } finally {
    await task.destroy()
  }
}
