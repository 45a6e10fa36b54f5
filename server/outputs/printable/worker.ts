/** The worker that makes printable documents. The originals are untrusted, so it may be killed at any time. */
import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from '../../workers/pool.ts'
import { Unprintable } from '@kelisim/pdf/incremental/original.ts'
import { printDocument } from './print.ts'
import type { PrintDone, PrintWork } from './printable-job.ts'
import { faultOf } from './rehearsal.ts'

const port = parentPort!

port.on('message', (message: ToWorker) => {
  if ('job' in message) void work(message.job as PrintWork)
})

async function work(job: PrintWork): Promise<void> {
  try {
    port.postMessage({ result: await done(job) } satisfies FromWorker)
  } catch (error) {
    port.postMessage({ failure: String(error) } satisfies FromWorker)
  }
}

async function done(work: PrintWork): Promise<PrintDone> {
  if (work.task === 'rehearse') return { fault: await faultOf(work.path) }
  try {
    return await printDocument(work.job)
  } catch (error) {
    if (error instanceof Unprintable) return { fault: error.fault }
    throw error
  }
}
