/** The worker that prints signing reports. */
import { pdfBytes } from '@kelisim/pdf/make-pdf.ts'
import { serveJobs } from '../../workers/child.ts'
import { reportDefinition } from './report-document.ts'
import type { ReportJob } from './report-job.ts'

serveJobs(() => async (job: ReportJob): Promise<Uint8Array> => {
  const pdf = await pdfBytes(reportDefinition(job), job.facts)
  return new Uint8Array(pdf)
})
