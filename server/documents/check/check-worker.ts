/** The worker that checks uploaded files. They are untrusted, so it may be killed at any time. */
import { open } from 'node:fs/promises'
import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from '../../workers/pool.ts'
import type { CheckJob, CheckResult } from './check-job.ts'
import { checkOffice } from './office.ts'
import { checkOldOffice } from './old-office.ts'
import { checkPdf } from './pdf.ts'

const port = parentPort!

port.on('message', (message: ToWorker) => {
  if ('job' in message) void work(message.job as CheckJob)
})

async function work(job: CheckJob): Promise<void> {
  try {
    port.postMessage({ result: await check(job) } satisfies FromWorker)
  } catch (error) {
    port.postMessage({ failure: String(error) } satisfies FromWorker)
  }
}

async function check({ format, ...job }: CheckJob): Promise<CheckResult> {
  const file = await open(job.path)
  try {
    switch (format) {
      case 'pdf':
        return await checkPdf(file, job.size)
      case 'docx':
      case 'xlsx':
        return await checkOffice(file, { ...job, format })
      case 'doc':
      case 'xls':
        return await checkOldOffice(file, job.size, format)
    }
  } finally {
    await file.close()
  }
}
