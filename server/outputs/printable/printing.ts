/** Makes printable documents in workers that can be killed, and finds out in advance which PDFs cannot be printed. */
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { PrintableJob, PrintDone, PrintWork } from './printable-job.ts'

export type Printing = {
  /** Writes the printable document to `outPath`. */
  print: (job: PrintableJob) => Promise<{ size: number }>
  /** Tries to print before anybody is asked to sign: why this PDF cannot be printed, or null. */
  faultOf: (path: string) => Promise<PrintFault | null>
  close: () => Promise<void>
}

export function openPrinting({ deadlineMs = 60_000, rehearsalMs = 45_000, maxQueue = 200 } = {}): Printing {
  // Started with the first document, to save memory until then. One worker each, because a document of 20 MB needs a lot
  // of memory. People wait for a rehearsal, so it has a worker of its own.
  let [printers, rehearsals]: [PrintPool | null, PrintPool | null] = [null, null]
  const start = (deadline: number): PrintPool =>
    createPool({
      file: new URL('worker.ts', import.meta.url),
      workerData: null,
      size: 1,
      maxQueue,
      deadlineMs: deadline,
      memory: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
      answer: () => Promise.reject(new Error('printing asks nothing')),
    })
  return {
    async print(job) {
      const done = await (printers ??= start(deadlineMs)).run({ task: 'print', job })
      if (!('size' in done)) throw new Error(`A PDF that passed its rehearsal is ${done.fault}`)
      return done
    },
    async faultOf(path) {
      try {
        const done = await (rehearsals ??= start(rehearsalMs)).run({ task: 'rehearse', path })
        return 'fault' in done ? done.fault : null
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        if (error.reason === 'full' || error.reason === 'closed') refuse('service-unavailable')
        return 'too-much'
      }
    },
    async close() {
      await Promise.all([printers?.close(), rehearsals?.close()])
    },
  }
}

type PrintPool = Pool<PrintWork, PrintDone>
