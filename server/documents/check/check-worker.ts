/** The worker that checks uploaded files. The files are untrusted, so it may be killed at any time. */
import { open } from 'node:fs/promises'
import { serveJobs } from '../../workers/child.ts'
import type { CheckJob, CheckResult } from './check-job.ts'
import { checkOffice } from './office.ts'
import { checkOldOffice } from './old-office.ts'
import { checkPdf } from './pdf.ts'
import { checkXml } from './xml.ts'

// pdf.js is loaded before the first job, because the time of a job is limited.
await Promise.all([
  import('pdfjs-dist/legacy/build/pdf.mjs'),
  import('pdfjs-dist/legacy/build/pdf.worker.mjs'),
])

serveJobs(() => check)

async function check({ format, ...job }: CheckJob): Promise<CheckResult> {
  const file = await open(job.path)
  try {
    switch (format) {
      case 'xml':
        return await checkXml(file, job.size)
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
