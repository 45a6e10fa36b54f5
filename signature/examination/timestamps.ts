/** Timestamps over a signature: each examined as a signature of its own, by a service dedicated to timestamps. */
import { MalformedError } from '../asn1/read.ts'
import { findPath } from '../certificates/path.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { isAnnounced, readSignedData } from '../cms/signed-data.ts'
import { checkTimestampInfo, readTimestampToken, type TimestampProblem } from '../timestamps/timestamp.ts'
import { digestsOf } from './content.ts'
import type { Work } from './work.ts'
import type { Finding } from '../findings/findings.ts'
import { readableCertificates } from './certificates.ts'
import { chainRevocation, type RevocationFact } from './revocation.ts'
import { digestAlgorithmOf } from '../certificates/algorithm-identifier.ts'

export type TimestampExamination = {
  time: Date | null
  /** The service's certificate and its chain. */
  path: readonly Certificate[]
  /** The revocation status of these. */
  revocation: RevocationFact[]
  findings: Finding[]
}

/** Examines a token over these bytes at its own time, which it proves if it is valid. */
export async function examineTimestamp(
  token: Uint8Array,
  bytes: Uint8Array,
  others: readonly Certificate[],
  work: Work,
): Promise<TimestampExamination> {
  try {
    return await examine(token, bytes, others, work)
  } catch (error) {
    if (error instanceof MalformedError) {
      return { time: null, path: [], revocation: [], findings: ['timestamp-damaged'] }
    }
    throw error
  }
}

async function examine(
  token: Uint8Array,
  bytes: Uint8Array,
  others: readonly Certificate[],
  work: Work,
): Promise<TimestampExamination> {
  const { info } = readTimestampToken(token)
  const data = readSignedData(token)
  const [signer, ...more] = data.signers
  if (!signer || more.length > 0 || !data.content || !isAnnounced(signer, data))
    throw new MalformedError('Not the token of one service')
  const known = [...readableCertificates(data.certificates).certificates, ...others]
  const hashName = digestAlgorithmOf(signer.digestAlgorithm)
  const digests = await digestsOf(data.content, hashName ? [hashName] : [])
  work.spend()
  const check = await checkSigner(
    signer,
    { type: data.contentType, digest: (name) => digests.get(name) ?? null },
    known,
    { signedAttributes: 'required', signingCertificate: 'required' },
  )
  const { certificate } = check
  const result: TimestampExamination = { time: info.genTime, path: [], revocation: [], findings: [] }
  if (check.findings.length > 0 || !certificate) {
    result.findings.push(certificate ? 'timestamp-wrong-signature' : 'timestamp-untrusted')
    return result
  }
  const latest = new Date(Number(work.at) + (work.clockAllowance ?? 0))
  const problem = checkTimestampInfo(info, certificate, { imprintOf: bytes, at: latest })
  if (problem) result.findings.push(findingOf[problem])
  const { roots } = work.trust
  const found = await findPath(certificate, {
    roots,
    others: [...known, ...work.trust.others],
    at: info.genTime,
    check: work.check,
  })
  result.path = found.path
  if (!found.ok) result.findings.push('timestamp-untrusted')
  else {
    // where the centres' certificates must be known to be good, so must the timestamp service's
    const demand = work.policy.issuerRevocation === 'required' ? 'any' : 'if-revoked'
    const nothing = { crls: [], ocsp: [] }
    const demands = { leaf: demand, issuers: demand } as const
    const then = { existedAt: info.genTime, neededFor: info.genTime }
    const revocation = await chainRevocation(found.path, nothing, then, work, demands)
    result.revocation = revocation.facts
    const isGivenUp = revocation.facts.some(({ revokedAt, reason }) => revokedAt && !harmless.has(reason))
    if (isGivenUp || revocation.findings.some((finding) => isRevoked.has(finding)))
      result.findings.push('timestamp-untrusted')
    else if (revocation.findings.length > 0) result.findings.push('timestamp-revocation-unknown')
  }
  return result
}

/**
 * RFC 3161, 4: for these reasons earlier stamps stay valid; for others, whoever has the key could stamp any earlier
 * time.
 */
const harmless: ReadonlySet<string | null> = new Set([
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
])

/** Anything else that was found about revocation may become known later. */
const isRevoked: ReadonlySet<Finding> = new Set(['revoked-by-ocsp', 'revoked-by-crl', 'issuer-revoked'])

const findingOf: Record<TimestampProblem, Finding> = {
  'other-imprint': 'timestamp-of-other',
  'from-future': 'timestamp-from-future',
  'unknown-hash': 'timestamp-untrusted',
  'weak-hash': 'timestamp-untrusted',
  'wrong-usage': 'timestamp-untrusted',
  expired: 'timestamp-untrusted',
  'not-yet-valid': 'timestamp-untrusted',
  nonce: 'timestamp-untrusted',
  policy: 'timestamp-untrusted',
  'unknown-critical-extension': 'timestamp-untrusted',
}
