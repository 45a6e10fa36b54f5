/** The worker that parses and prints rich text. The text is untrusted, so the worker may be killed at any time. */
import {
  isBlank,
  isTooMuch,
  limits,
  toHtml,
  variablesOf,
  withValues,
  type Block,
} from '@kelisim/domain/rich-text/rich-text.ts'
import { whyNotValue } from '@kelisim/domain/rich-text/variables.ts'
import { serveJobs } from '../workers/child.ts'
import { unprintableCharacters } from './unprintable-characters.ts'
import { printPdf } from './print-pdf.ts'
import { readHtml, TooComplex } from './read-html.ts'
import type { Done, RichTextTask } from './work-job.ts'

serveJobs(() => done)

async function done(job: RichTextTask): Promise<Done> {
  const read = readOrNull(job.html)
  const blocks = read && job.task === 'print' && job.values ? withValues(read, job.values) : read
  if (blocks === null || isTooMuch(blocks)) return { problem: 'too-large' }
  if (isBlank(blocks)) return { problem: 'empty' }
  const signs = unprintableCharacters(blocks)
  if (signs.length > 0) return { problem: 'unknown-signs', signs }
  const [html, variables] = [toHtml(blocks), variablesOf(blocks)]
  // Escaping (&amp;) makes the text longer, so the limit is checked again.
  if (html.length > limits.html) return { problem: 'too-large' }
  if (job.task === 'clean') return { html, variables, pdf: null }
  const names = variables
    .filter(({ type, value }) => whyNotValue(type, value) !== null)
    .map(({ name }) => name)
  if (job.mustBeFilled && names.length > 0) return { problem: 'not-filled', names }
  return { html, variables, pdf: await printPdf(blocks, job.title) }
}

function readOrNull(html: string): Block[] | null {
  try {
    return readHtml(html)
  } catch (error) {
    if (error instanceof TooComplex) return null
    throw error
  }
}
