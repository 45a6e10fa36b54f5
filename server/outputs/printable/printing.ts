/** Makes printable documents in workers that can be killed, and says beforehand of which PDFs none can be made. */
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { PrintableJob, PrintDone, PrintWork } from './printable-job.ts'

export type Printing = {
  /** Writes the printable document to `outPath`. */
  print: (job: PrintableJob) => Promise<{ size: number }>
  /** A rehearsal, before anybody is asked to sign: what would keep this PDF from being printed. */
  faultOf: (path: string) => Promise<PrintFault | null>
  close: () => Promise<void>
}

export function openPrinting({ deadlineMs = 60_000, rehearsalMs = 45_000, maxQueue = 200 } = {}): Printing {
  // Begun with the first document: whoever only reads pays nothing for it. One at a time: a document of 20 MB takes its
  // share of memory. Somebody waits at the screen for a rehearsal, so it does not wait for those who print.
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
