/**
 * For tests: one set of workers for all applications of a process, which ends with it. Starting a worker takes a
 * second of processor time, which hundreds of test files would otherwise spend again and again.
 */
import { openFileChecks } from './documents/check/check.ts'
import { openPrinting } from './outputs/printable/printing.ts'
import { openRevisions } from './requests/signed-pdf/revisions.ts'
import { openRichTextWorkers } from './rich-text/rich-text.ts'

/** Does nothing: a test that closed the shared workers would take them from all others. */
const close = () => Promise.resolve()

export const testWorkers = {
  checks: { ...openFileChecks(), close },
  printing: { ...openPrinting(), close },
  revisions: { ...openRevisions(), close },
  richText: { ...openRichTextWorkers(), close },
}
