/**
 * For tests: one set of workers for all applications of a process. Starting one takes a second of processor time, which hundreds of
 * test files would spend again and again; they end with the process.
 */
import { openFileChecks } from './documents/check/check.ts'
import { openPrinting } from './outputs/printable/printing.ts'
import { openRevisions } from './requests/signed-pdf/revisions.ts'
import { openRichTextWorkers } from './rich-text/rich-text.ts'

/** A test that closed them would take them from all others. */
const close = () => Promise.resolve()

export const testWorkers = {
  checks: { ...openFileChecks(), close },
  printing: { ...openPrinting(), close },
  revisions: { ...openRevisions(), close },
  richText: { ...openRichTextWorkers(), close },
}
