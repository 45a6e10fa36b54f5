/** Compares documents in a process with limits on memory and time. */
import { second } from '@kelisim/domain/durations.ts'
import { refuseIfBusy } from '../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../workers/pool.ts'
import type { Claimant } from '../workers/turns.ts'
import type { CompareJob, CompareResult } from './compare-job.ts'

export type Comparer = {
  /** Null: the comparison exceeded its limit of time or memory. */
  compare: (job: CompareJob, claimant: Claimant) => Promise<CompareResult | null>
  close: () => Promise<void>
}

export function openComparer({ deadlineMs = 20 * second, maxQueue = 50 } = {}): Comparer {
  // Started with the first comparison, to save memory until then.
  let pool: Pool<CompareJob, CompareResult> | null = null
  const start = () =>
    createPool<CompareJob, CompareResult>({
      file: new URL('compare-worker.ts', import.meta.url),
      setup: null,
      seats: 2,
      maxQueue,
      deadlineMs,
      memory: { heapMb: 256, outsideMb: 256 },
    })
  return {
    async compare(job, claimant) {
      try {
        return await (pool ??= start()).run(job, claimant)
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
        return null
      }
    },
    close: async () => pool?.close(),
  }
}
