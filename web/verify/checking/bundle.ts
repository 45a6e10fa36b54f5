/** Judges the findings about an evidence bundle. */
import { judge, worst } from '@kelisim/domain/signatures/verdict.ts'
import type { BundleCheck, BundleSignature } from '@kelisim/signature/bundle/bundle-check.ts'
import { baseName } from '@kelisim/signature/container/input-file.ts'
import { signerReport } from './facts.ts'
import { stateOfKey, type LogKeys } from './log-keys.ts'
import { outcomeOf, worstOutcome, type Group, type CheckOutcome, type SignatureReport } from './report.ts'

export function bundleGroup(
  check: BundleCheck,
  logKeys: LogKeys,
): Omit<Group, 'kind' | 'container' | 'documents'> {
  // Signatures on a document that was replaced later do not count.
  const counted = check.signatures.filter(({ earlierRevision }) => earlierRevision === null)
  const signatures = counted.map(reportOf)
  const { history, log } = check
  const logKey = log && stateOfKey(log.fingerprint, logKeys)
  // A key never seen before is no fault while the service cannot be asked for its present key.
  const faults = check.faults.filter(({ fault }) => fault !== 'log-key-other' || logKeys.isReachable)
  const outcomes = [
    ...signatures.map(({ verdict }) => outcomeOf(verdict)),
    ...faults.map(outcomeOfFault),
    // A forged bundle contains a log of its own, so nothing is certain while our log cannot be reached.
    ...(logKey?.state === 'unknown' ? (['later'] as const) : []),
  ]
  return {
    outcome: worstOutcome(outcomes),
    signatures,
    bundle: {
      request: check.request?.name ?? null,
      sender: check.request?.sender ?? null,
      madeAt: check.madeAt,
      faults,
      earlierSignatures: check.signatures.length - counted.length,
      events: history?.events ?? null,
      shortened: history?.shortened ?? 0,
      leftOut: history?.leftOut ?? 0,
      isHistoryProved: history?.isProved ?? false,
      logFingerprint: log?.fingerprint ?? null,
      logKey,
      // Co-signatures can only be checked if the witnesses are known.
      witnessedBy: logKeys.witnesses.length > 0 ? (log?.witnessedBy ?? []) : null,
    },
    trouble: null,
  }
}

/**
 * Another log key alone does not make a bundle invalid: it may come from another installation, or from before our log
 * had its key.
 */
function outcomeOfFault({ fault }: BundleCheck['faults'][number]): CheckOutcome {
  return fault === 'log-key-other' ? 'unconfirmed' : 'invalid'
}

function reportOf(signature: BundleSignature): SignatureReport {
  const { file, document, examination, findings, existedAt, existedBy, power } = signature
  const verdict = worst([judge(findings), ...(examination ? [judge(examination.findings)] : [])])
  const signer = examination && {
    ...signerReport(examination),
    ...(existedAt && { provedTime: existedAt, provedBy: existedBy }),
    power,
  }
  return {
    fileName: baseName(file),
    document: baseName(document),
    verdict,
    faults: findings.filter((finding) => !examination?.findings.includes(finding)),
    signers: signer ? [signer] : [],
  }
}
