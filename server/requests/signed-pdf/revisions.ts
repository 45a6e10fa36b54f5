/** Adds signatures to PDFs in workers that can be killed. */
import { minute, second } from '@kelisim/domain/durations.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import type { SignatureEvidence } from '@kelisim/pdf/incremental/evidence-increment.ts'
import { refuseIfBusy } from '../../workers/busy.ts'
import { createPool, PoolError, type Pool } from '../../workers/pool.ts'
import type { Claimant } from '../../workers/turns.ts'
import type { FormInside, RevisionJob, RevisionResult, SigningFault } from './revision-job.ts'

/** The room for a signature in a PDF, in bytes: several times what the national programs make, with a timestamp. */
export const signatureRoom = 16 * 1024

export type Revisions = {
  /** Tries to sign before anybody is asked to: why nothing can be signed inside this document, or null. */
  faultOf: (form: FormInside, path: string, claimant: Claimant) => Promise<SigningFault | null>
  /** Writes the bytes that the next signature covers, and returns where in the PDF the signature will stand. */
  prepare: (job: { path: string; outPath: string; at: Date }, claimant: Claimant) => Promise<Gap>
  /** Appends the evidence of the signatures to the PDF at `path`. */
  prove: (path: string, evidence: SignatureEvidence) => Promise<void>
  close: () => Promise<void>
}

export function openRevisions({ deadlineMs = 20 * second, maxQueue = 200 } = {}): Revisions {
  // Started with the first signature inside a PDF, to save memory until then.
  let pool: Pool<RevisionJob, RevisionResult> | null = null
  const run = (job: RevisionJob, claimant: Claimant) =>
    (pool ??= createPool({
      file: new URL('revision-worker.ts', import.meta.url),
      setup: null,
      seats: 2,
      maxQueue,
      deadlineMs,
      queueTimeoutMs: minute,
      memory: { heapMb: 256, outsideMb: 384 },
    })).run(job, claimant)
  return {
    async faultOf(form, path, claimant) {
      try {
        const done = await run({ task: 'try', form, path, room: signatureRoom }, claimant)
        return 'fault' in done ? done.fault : null
      } catch (error) {
        if (!(error instanceof PoolError)) throw error
        refuseIfBusy(error)
        return 'too-much'
      }
    },
    async prepare(job, claimant) {
      const done = await run({ task: 'prepare', ...job, room: signatureRoom }, claimant)
      if ('gap' in done) return done.gap
      throw new Error(`A PDF that could be signed when it was sent is ${done.fault}`)
    },
    async prove(path, evidence) {
      const done = await run({ task: 'prove', path, evidence }, null)
      if ('fault' in done && done.fault === null) return
      throw new Error('No evidence can be added to a PDF that was signed')
    },
    close: async () => pool?.close(),
  }
}
