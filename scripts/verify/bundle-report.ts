/** The report of an evidence bundle: what its check found, with verdicts. */
import { judge, verdictOf, worst, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import type { BundleFault } from '@kelisim/signature/bundle/bundle-fault.ts'
import type { BundleCheck, BundleSignature } from '@kelisim/signature/bundle/bundle-check.ts'
import { signerReport, verdictOnly, type SignerReport } from './report.ts'

export type BundleReport = Verdict & {
  faults: BundleFault[]
  request: BundleCheck['request']
  madeAt: string | null
  documents: { name: string; file: string; sha256: string; size: number }[]
  /** The history has its own verdict: signatures may pass by their own evidence while nothing proves the history. */
  history: (NonNullable<BundleCheck['history']> & { verdict: Verdict['verdict'] }) | null
  /** What the bundle states and no log entry confirms. */
  notBound: string[]
  log: {
    fingerprint: string
    isKnown: boolean | null
    size: number
    at: string
    witnessedBy: { name: string; at: string }[]
  } | null
  signers: BundleSigner[]
}

type BundleSigner = SignerReport & {
  file: string
  document: string
  side: { name: string; bin: string }
  /** The power of attorney under which it was accepted. */
  power: BundleSignature['power']
  receivedAt: string
  /** Since when the signature is proved to exist, and by what. */
  existedAt: string | null
  existedBy: BundleSignature['existedBy']
  /** The earlier document that was signed, so the signature does not count; null: the newest one was signed. */
  earlierRevision: number | null
}

/** Anything changed, removed or added is a proved fault; otherwise the result is the worst of the signatures. */
export function bundleReport(check: BundleCheck, quorum = 0): BundleReport {
  const { faults, request, history, log } = check
  const signers = check.signatures.map(bundleSigner)
  const counted = signers.filter(({ earlierRevision }) => earlierRevision === null)
  const isSpoiled = faults.length > 0 || counted.length === 0
  const ofHistory = historyVerdict(check, quorum)
  const verdict: Verdict = isSpoiled
    ? { verdict: 'TOTAL-FAILED', subIndication: null, code: null }
    : worst([...counted.map(verdictOnly), ofHistory])
  return {
    ...verdict,
    faults,
    request,
    madeAt: check.madeAt?.toISOString() ?? null,
    documents: check.documents.map(({ name, file, sha256, size }) => ({ name, file, sha256, size })),
    history: history && { ...history, verdict: isSpoiled ? 'TOTAL-FAILED' : ofHistory.verdict },
    notBound: notBoundIn(check),
    log: log && {
      fingerprint: log.fingerprint,
      isKnown: log.isKnown,
      size: log.size,
      at: log.at.toISOString(),
      witnessedBy: log.witnessedBy.map(({ name, at }) => ({ name, at: at.toISOString() })),
    },
    signers,
  }
}

/**
 * Without a key that is known from elsewhere, whoever made the bundle may have invented its history; without the witnesses who were
 * asked for, the log's operator may have.
 */
function historyVerdict({ log }: BundleCheck, quorum: number): Verdict {
  if (log?.isKnown !== true) return verdictOf('log-key-unknown')
  return log.witnessedBy.length < quorum ? verdictOf('witnesses-too-few') : judge([])
}

function notBoundIn({ request, documents, signatures, history }: BundleCheck): string[] {
  return [
    ...(request && !request.isNameBound ? ['request.name'] : []),
    ...(documents.length > 0 ? ['documents.name'] : []),
    ...(signatures.every(({ isBound }) => isBound.side) ? [] : ['signers.side']),
    ...(signatures.every(({ isBound }) => isBound.receivedAt) ? [] : ['signers.receivedAt']),
    ...((history?.shortened ?? 0) > 0 ? ['history.shortened'] : []),
  ]
}

function bundleSigner(signature: BundleSignature): BundleSigner {
  const { file, document, side, power, receivedAt, existedAt, existedBy, examination, findings } = signature
  const { earlierRevision } = signature
  return {
    ...signerReport(examination),
    ...judge(findings),
    file,
    document,
    side,
    power,
    receivedAt: receivedAt.toISOString(),
    existedAt: existedAt?.toISOString() ?? null,
    existedBy,
    earlierRevision,
  }
}
