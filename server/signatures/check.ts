/**
 * Checks signatures outside the event loop, in processes that can be killed. Returns the faults for
 * domain/signatures/verdict.ts to judge, and the evidence to store.
 */
import { availableParallelism } from 'node:os'
import { answerFrom } from './answer-from-centre.ts'
import type {
  CheckedTimestamp,
  CheckJob,
  CheckResult,
  CheckSetup,
  Question,
  TimestampJob,
} from './check-job.ts'
import type { Centre } from './outbound/centre.ts'
import { createPool, PoolError } from '../workers/pool.ts'
import type { Claimant } from '../workers/turns.ts'
import { minute } from '@kelisim/domain/durations.ts'

export type SignatureChecks = {
  /** `claimant`: on whose behalf the check runs; by default the server's own. */
  check: (job: CheckJob, claimant?: Claimant) => Promise<CheckResult>
  /** Checks a timestamp that a service has just given. */
  checkTimestamp: (job: TimestampJob) => Promise<CheckedTimestamp>
  close: () => Promise<void>
}

export type CheckSettings = CheckSetup & {
  centre: Centre
  /** By default one core is left to the event loop. */
  workers?: number
  maxQueue?: number
  deadlineMs?: number
}

export function openSignatureChecks({
  roots,
  centres,
  centre,
  workers = Math.max(2, availableParallelism() - 1),
  maxQueue = 200,
  deadlineMs = minute,
}: CheckSettings): SignatureChecks {
  const pool = createPool<CheckJob | TimestampJob, CheckResult | CheckedTimestamp>({
    file: new URL('check-worker.ts', import.meta.url),
    setup: { roots, centres } satisfies CheckSetup,
    seats: workers,
    maxQueue,
    deadlineMs,
    // A document inside a signature, and the CRL, are held outside the heap.
    memory: { heapMb: 256, outsideMb: 512 },
    answer: (question) => answerFrom(centre, question as Question),
  })
  /** The worker answers each kind of job with its own kind of result. */
  async function run<R extends CheckResult | CheckedTimestamp>(
    job: CheckJob | TimestampJob,
    claimant: Claimant,
    overdue: R,
  ): Promise<R> {
    try {
      return (await pool.run(job, claimant)) as R
    } catch (error) {
      // a signature that crashes its worker is treated like one that takes too long
      if (error instanceof PoolError && (error.reason === 'overdue' || error.reason === 'crashed')) {
        return overdue
      }
      throw error
    }
  }

  return {
    check: (job, claimant = null) =>
      run<CheckResult>(job, claimant, { faults: ['check-overdue'], signers: [] }),
    checkTimestamp: (job) =>
      run<CheckedTimestamp>(job, null, { faults: ['check-overdue'], time: null, endsAt: null, centres: [] }),
    close: pool.close,
  }
}
