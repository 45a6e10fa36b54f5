/** Prints signing reports in a worker, because names and comments are untrusted input. */
import { createPool, type Pool } from '../../workers/pool.ts'
import type { ReportJob } from './report-job.ts'

export type Reports = { print: (job: ReportJob) => Promise<Uint8Array>; close: () => Promise<void> }

export function openReports({ deadlineMs = 60_000, maxQueue = 50 } = {}): Reports {
  // Started with the first report, to save memory until then.
  let pool: Pool<ReportJob, Uint8Array> | null = null
  const start = () =>
    createPool<ReportJob, Uint8Array>({
      file: new URL('report-worker.ts', import.meta.url),
      workerData: null,
      size: 1,
      maxQueue,
      deadlineMs,
      memory: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      answer: () => Promise.reject(new Error('a report asks nothing')),
    })
  return {
    print: (job) => (pool ??= start()).run(job),
    close: async () => pool?.close(),
  }
}
