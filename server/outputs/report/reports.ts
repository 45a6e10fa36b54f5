/** Prints signing reports in a process of its own, because names and comments are untrusted input. */
import { minute } from '@kelisim/domain/durations.ts'
import { createPool, type Pool } from '../../workers/pool.ts'
import type { ReportJob } from './report-job.ts'

export type Reports = { print: (job: ReportJob) => Promise<Uint8Array>; close: () => Promise<void> }

export function openReports({ deadlineMs = minute, maxQueue = 50 } = {}): Reports {
  // Started with the first report, to save memory until then.
  let pool: Pool<ReportJob, Uint8Array> | null = null
  const start = () =>
    createPool<ReportJob, Uint8Array>({
      file: new URL('report-worker.ts', import.meta.url),
      setup: null,
      seats: 1,
      maxQueue,
      queueTimeoutMs: 10 * minute,
      deadlineMs,
      memory: { heapMb: 384, outsideMb: 256 },
    })
  return {
    print: (job) => (pool ??= start()).run(job, null),
    close: async () => pool?.close(),
  }
}
