/** The worker that makes printable documents. The originals are untrusted, so it may be killed at any time. */
import { readFile } from 'node:fs/promises'
import { serveJobs } from '../../workers/child.ts'
import { openOriginal, Unprintable } from '@kelisim/pdf/incremental/original.ts'
import { printDocument } from './print.ts'
import type { PrintDone, PrintWork } from './printable-job.ts'
import { faultOf } from './rehearsal.ts'

// pdf.js is loaded before the first job, because the time of a job is limited.
await Promise.all([
  import('pdfjs-dist/legacy/build/pdf.mjs'),
  import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
])

serveJobs(() => done)

async function done(work: PrintWork): Promise<PrintDone> {
  if (work.task === 'rehearse') return { fault: await faultOf(work.path) }
  try {
    if (work.task === 'count') return { pages: (await openOriginal(await readFile(work.path))).pages.count }
    return await printDocument(work.job)
  } catch (error) {
    if (error instanceof Unprintable) return { fault: error.fault }
    throw error
  }
}
