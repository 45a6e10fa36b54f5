/** Makes printable documents in workers that can be killed, and finds out in advance which PDFs cannot be printed. */
import { minute, second } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { refuseIfBusy } from '../../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import type { Claimant } from '../../workers/turns.ts'
import type { PrintFault } from '@kelisim/pdf/incremental/original.ts'
import type { PrintableJob, PrintDone, PrintWork } from './printable-job.ts'

export type Printing = {
  /** Writes the printable document to `outPath`. */
  print: (job: PrintableJob) => Promise<{ size: number }>
  /** Tries to print before anybody is asked to sign: why this PDF cannot be printed, or null. */
  faultOf: (path: string, claimant: Claimant) => Promise<PrintFault | null>
  /** Counts the pages of a PDF that can be printed. */
  countPages: (path: string, claimant: Claimant) => Promise<number>
  close: () => Promise<void>
}

export function openPrinting({
  deadlineMs = minute,
  rehearsalMs = 20 * second,
  maxQueue = 200,
} = {}): Printing {
  // Started with the first document, to save memory until then. People wait for a rehearsal, so it has a queue of its own;
  // printing is done by jobs, one at a time, because a document of 20 MB needs a lot of memory.
  let [printers, rehearsals]: [PrintPool | null, PrintPool | null] = [null, null]
  const start = (limits: { seats: number; deadlineMs: number; queueTimeoutMs: number }): PrintPool =>
    createPool({
      file: new URL('worker.ts', import.meta.url),
      setup: null,
      maxQueue,
      memory: { heapMb: 256, outsideMb: 384 },
      ...limits,
    })
  const startPrinters = () => start({ seats: 1, deadlineMs, queueTimeoutMs: 10 * minute })
  const startRehearsals = () => start({ seats: 4, deadlineMs: rehearsalMs, queueTimeoutMs: 30 * second })
  return {
    async print(job) {
      const done = await (printers ??= startPrinters()).run({ task: 'print', job }, null)
      if (!('size' in done))
        throw new Error(`A PDF that passed its rehearsal is ${'fault' in done ? done.fault : null}`)
      return done
    },
    async faultOf(path, claimant) {
      try {
        const done = await (rehearsals ??= startRehearsals()).run({ task: 'rehearse', path }, claimant)
        return 'fault' in done ? done.fault : null
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
        return 'too-much'
      }
    },
    async countPages(path, claimant) {
      try {
        const done = await (rehearsals ??= startRehearsals()).run({ task: 'count', path }, claimant)
        if ('pages' in done) return done.pages
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
      }
      return refuse('document-not-printable', { reason: 'too-much' })
    },
    async close() {
      await Promise.all([printers?.close(), rehearsals?.close()])
    },
  }
}

type PrintPool = Pool<PrintWork, PrintDone>
