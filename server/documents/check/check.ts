/** Checks the content of an uploaded file in a worker that can be killed, and refuses it if it does not match its format. */
import { availableParallelism } from 'node:os'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { refuse, type Alias } from '@kelisim/domain/errors.ts'
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import type { CheckJob, CheckResult, Fault } from './check-job.ts'

export type FileChecks = {
  /** Refuses a file that cannot be accepted. */
  check: (job: CheckJob) => Promise<void>
  close: () => Promise<void>
}

export function openFileChecks({ deadlineMs = 20_000, maxQueue = 200 } = {}): FileChecks {
  // Started with the first upload, to save memory until then.
  let pool: Pool<CheckJob, CheckResult> | null = null
  const start = () =>
    createPool<CheckJob, CheckResult>({
      file: new URL('check-worker.ts', import.meta.url),
      workerData: null,
      size: Math.max(1, availableParallelism() - 1),
      maxQueue,
      deadlineMs,
      memory: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      answer: () => Promise.reject(new Error('a check of files asks nothing')),
    })
  return {
    async check(job) {
      const fault = await faultOf((pool ??= start()), job)
      if (fault !== null) refuse(aliases[fault], { format: nameOf(job.format) })
    },
    close: async () => pool?.close(),
  }
}

const aliases: Record<Fault, Alias> = {
  mismatch: 'file-content-mismatch',
  encrypted: 'file-encrypted',
  broken: 'file-broken',
  macros: 'file-has-macros',
  bomb: 'file-unpacks-too-large',
  'two-formats': 'file-of-two-formats',
}

async function faultOf(pool: Pool<CheckJob, CheckResult>, job: CheckJob): Promise<CheckResult> {
  try {
    return await pool.run(job)
  } catch (error) {
    if (!(error instanceof PoolError)) throw error
    if (error.reason === 'full' || error.reason === 'closed') refuse('service-unavailable')
    // A file that crashes the parser or makes it hang would not open for people either.
    return 'broken'
  }
}

function nameOf(format: DocumentFormat): string {
  return format.toUpperCase()
}
