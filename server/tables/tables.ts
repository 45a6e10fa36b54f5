/** Reads tables of strangers in a process with limits on memory and time (docs/decisions/019-files-of-strangers.md). */
import { second } from '@kelisim/domain/durations.ts'
import { refuseIfBusy } from '../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../workers/pool.ts'
import type { Claimant } from '../workers/turns.ts'
import type { TableResult } from './table.ts'

export type Tables = {
  read: (path: string, claimant: Claimant) => Promise<TableResult>
  close: () => Promise<void>
}

export function openTables({ deadlineMs = 20 * second, maxQueue = 50 } = {}): Tables {
  // Started with the first table, to save memory until then.
  let pool: Pool<{ path: string }, TableResult> | null = null
  const start = () =>
    createPool<{ path: string }, TableResult>({
      file: new URL('table-worker.ts', import.meta.url),
      setup: null,
      seats: 2,
      maxQueue,
      deadlineMs,
      memory: { heapMb: 192, outsideMb: 192 },
    })
  return {
    async read(path, claimant) {
      try {
        return await (pool ??= start()).run({ path }, claimant)
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
        return { fault: 'too-much', names: [] }
      }
    },
    close: async () => pool?.close(),
  }
}
