/** The worker that checks signatures. It reads documents and CRLs itself, by their paths. */
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { examineSignature } from '@kelisim/signature/examination/examine.ts'
import type { Trust } from '@kelisim/signature/examination/policy.ts'
import { examineNewest } from '@kelisim/signature/pdf/examine-pdf.ts'
import { warmUp } from '@kelisim/signature/warm-up.ts'
import type { CheckedTimestamp, CheckJob, CheckResult, CheckSetup, TimestampJob } from './check-job.ts'
import { madeDigests, withDigests } from './checked-document.ts'
import { checkedSigner } from './checked-signer.ts'
import { checkedTimestamp } from './checked-timestamp.ts'
import { evidenceFromServices } from './evidence.ts'
import { examineInXml } from './examine-in-xml.ts'
import { readWhole } from './file-pieces.ts'
import { serveJobs } from '../workers/child.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'

serveJobs(({ roots, centres }: CheckSetup, ask) => {
  const trust: Trust = { roots: roots.map(readCertificate), others: centres.map(readCertificate) }
  const evidenceAt = evidenceFromServices(ask)
  return async (job: CheckJob | TimestampJob): Promise<CheckResult | CheckedTimestamp> => {
    if ('token' in job) return checkedTimestamp(job, { trust, evidence: evidenceAt(job.at) })
    const { signature, document, at, receivedAt = at, policy } = job
    const bytes = signature instanceof Uint8Array ? signature : readWhole(signature.path)
    const settings = { trust, evidence: evidenceAt(at), policy, at, receivedAt, clockAllowance }
    if (job.isInXml) {
      const { findings, signers } = await examineInXml(bytes, job, settings)
      return { faults: findings, signers: signers.map(checkedSigner) }
    }
    const content = document instanceof Uint8Array ? [document] : document && withDigests(document)
    const { findings, signers } = job.isInPdf
      ? await examineNewest(bytes, settings)
      : await examineSignature(bytes, content, settings)
    return { faults: findings, signers: signers.map(checkedSigner), ...madeDigests(document, content) }
  }
})

warmUp()
