/** The worker that adds signatures to PDFs. The PDFs are untrusted, so it may be killed at any time. */
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { evidenceIncrement } from '@kelisim/pdf/incremental/evidence-increment.ts'
import { Unprintable } from '@kelisim/pdf/incremental/original.ts'
import { signatureIncrement } from '@kelisim/pdf/incremental/signature-increment.ts'
import { faultsOfNewest } from '@kelisim/signature/pdf/examine-pdf.ts'
import { xmlSigningFault } from '@kelisim/signature/xml/enveloped.ts'
import { serveJobs } from '../../workers/child.ts'
import type { RevisionJob, RevisionResult, SigningFault } from './revision-job.ts'

serveJobs(() => done)

async function done(job: RevisionJob): Promise<RevisionResult> {
  try {
    const bytes = await readFile(job.path)
    switch (job.task) {
      case 'try':
        return { fault: job.form === 'xades' ? xmlSigningFault(bytes) : await faultOf(bytes, job.room) }
      case 'prepare': {
        const { before, after, gap } = await signatureIncrement(bytes, job)
        await writeFile(job.outPath, [bytes, before, after])
        return { gap }
      }
      case 'prove':
        await appendFile(job.path, await evidenceIncrement(bytes, job.evidence))
        return { fault: null }
    }
  } catch (error) {
    if (error instanceof Unprintable) return { fault: error.fault }
    throw error
  }
}

async function faultOf(bytes: Buffer, room: number): Promise<SigningFault | null> {
  const { before, after } = await signatureIncrement(bytes, { at: new Date(0), room })
  const digits = Buffer.from(`<${'00'.repeat(room)}>`, 'latin1')
  const faults = await faultsOfNewest(Buffer.concat([bytes, before, digits, after]))
  if (faults.length === 0) return null
  return faults.includes('changed-after-signing') ? 'closed' : 'broken'
}
