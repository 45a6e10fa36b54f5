/**
 * Checks signatures outside the event loop, in workers that can be killed. What comes out is faults to be judged by
 * domain/signatures/verdict.ts, and the evidence to be kept.
 */
import { availableParallelism } from 'node:os'
import { answerFrom } from './answer-from-centre.ts'
import type { CheckJob, CheckResult, CheckSetup, Question } from './check-job.ts'
import type { Centre } from './outbound/centre.ts'
import { createPool, PoolError } from '../workers/pool.ts'

export type SignatureChecks = {
  check: (job: CheckJob) => Promise<CheckResult>
  close: () => Promise<void>
}

export type CheckSettings = CheckSetup & {
  centre: Centre
  /** One core is left to the event loop. */
  workers?: number
  maxQueue?: number
  deadlineMs?: number
}

export function openSignatureChecks({
  roots,
  centres,
  centre,
  workers = Math.max(1, availableParallelism() - 1),
  maxQueue = 200,
  deadlineMs = 60_000,
}: CheckSettings): SignatureChecks {
  const pool = createPool<CheckJob, CheckResult>({
    file: new URL('check-worker.ts', import.meta.url),
    workerData: { roots, centres } satisfies CheckSetup,
    size: workers,
    maxQueue,
    deadlineMs,
    // a document inside a signature and the list of revoked certificates lie outside the heap
    memory: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
    answer: (question) => answerFrom(centre, question as Question),
  })
  return {
    async check(job) {
      try {
        return await pool.run(job)
      } catch (error) {
        // a signature that kills its worker is not better than one that takes too long
        if (error instanceof PoolError && (error.reason === 'overdue' || error.reason === 'crashed')) {
          return { faults: ['check-overdue'], signers: [] }
        }
        throw error
      }
    },
    close: pool.close,
  }
}
