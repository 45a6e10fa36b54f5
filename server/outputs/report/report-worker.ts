/** The worker that prints signing reports. */
import { parentPort } from 'node:worker_threads'
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import type { FromWorker, ToWorker } from '../../workers/pool.ts'
import { reportDefinition } from './report-document.ts'
import type { ReportJob } from './report-job.ts'

const port = parentPort!

port.on('message', (message: ToWorker) => {
  if ('job' in message) void work(message.job as ReportJob)
})

async function work(job: ReportJob): Promise<void> {
  try {
    const pdf = await pdfBytes(reportDefinition(job), job.facts)
    port.postMessage({ result: new Uint8Array(pdf) } satisfies FromWorker)
  } catch (error) {
    port.postMessage({ failure: String(error) } satisfies FromWorker)
  }
}
