/** Timestamps over a signature: each examined as a signature of its own, by a service dedicated to timestamps. */
import { MalformedError } from '../asn1/read.ts'
import { findPath } from '../certificates/path.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { checkSigner } from '../cms/check-signer.ts'
import { isAnnounced, readSignedData } from '../cms/signed-data.ts'
import {
  checkTimestampInfo,
  readTimestampToken,
  type HashedBytes,
  type TimestampProblem,
} from '../timestamps/timestamp.ts'
import { digestsOf } from './content.ts'
import type { ExaminationWork } from './work.ts'
import type { Finding } from '../findings/findings.ts'
import { readableCertificates } from './certificates.ts'
import { chainRevocation, harmlessReasons, type RevocationFact } from './revocation.ts'
import { digestAlgorithmOf, signatureAlgorithmOf } from '../certificates/algorithm-identifier.ts'
import type { HashName } from '../algorithms/hash.ts'
import { hashEnds as knownEnds, isHashSecure, type HashEnds } from '../algorithms/lifetimes.ts'
import type { Evidence } from './policy.ts'

export type TimestampExamination = {
  time: Date | null
  /** The service's certificate and its chain. */
  path: readonly Certificate[]
  /** The trusted root to which the chain leads; null: it leads to none. */
  root: Certificate | null
  /** The revocation status of these certificates. */
  revocation: RevocationFact[]
  /** The signature is not by this key over this content, which no other evidence can change. */
  isForged?: boolean
  findings: Finding[]
}

/** How a timestamp is relied on in a series of timestamps, in which each later one proves the earlier ones. */
export type Reliance = {
  /** The time until which the service has to be trusted: that of the next timestamp, or of the check. */
  until: Date
  /** When another timestamp proves that this one existed: a key that was stolen after that time did not make it. */
  provedAt: Date | null
  /** Evidence about the service that came with the timestamp. */
  brought: Pick<Evidence, 'crls' | 'ocsp'>
}

/** Examines a token over these bytes at its own time, which it proves if it is valid. */
export async function examineTimestamp(
  token: Uint8Array,
  bytes: Uint8Array | HashedBytes,
  others: readonly Certificate[],
  work: ExaminationWork,
  reliance: Reliance | null = null,
): Promise<TimestampExamination> {
  try {
    return await examine(token, bytes, others, work, reliance)
  } catch (error) {
    if (error instanceof MalformedError) {
      return { time: null, path: [], root: null, revocation: [], findings: ['timestamp-damaged'] }
    }
    throw error
  }
}

async function examine(
  token: Uint8Array,
  bytes: Uint8Array | HashedBytes,
  others: readonly Certificate[],
  work: ExaminationWork,
  reliance: Reliance | null,
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
  const result: TimestampExamination = {
    time: info.genTime,
    path: [],
    root: null,
    revocation: [],
    findings: [],
  }
  if (check.findings.length > 0 || !certificate) {
    result.findings.push(certificate ? 'timestamp-wrong-signature' : 'timestamp-untrusted')
    result.isForged = check.findings.some((finding) => forged.has(finding))
    return result
  }
  const hashEnds = work.policy.hashEnds ?? knownEnds
  const latest = new Date(Number(work.at) + (work.clockAllowance ?? 0))
  const problem = checkTimestampInfo(info, certificate, {
    imprintOf: bytes,
    at: latest,
    ...(reliance && { reliedUntil: { time: reliance.until, hashEnds } }),
  })
  if (problem) result.findings.push(findingOf[problem])
  const { roots } = work.trust
  const pathAt = (at: Date) =>
    findPath(certificate, { roots, others: [...known, ...work.trust.others], at, check: work.check })
  const found = await pathAt(info.genTime)
  result.path = found.path
  if (!found.ok) result.findings.push('timestamp-untrusted')
  else {
    result.root = found.path.at(-1)!
    if (reliance) {
      const later = await pathAt(reliance.until)
      if (!later.ok || !isStrongUntil(reliance.until, hashName!, later.path, hashEnds))
        result.findings.push(later.ok ? 'record-weak' : 'record-expired')
      if (later.ok) result.path = later.path
    }
    // if the centres' certificates must be known to be good, the timestamp service's must be, too
    const demand = work.policy.issuerRevocation === 'required' ? 'any' : 'if-revoked'
    const brought = reliance?.brought ?? { crls: [], ocsp: [] }
    const demands = { leaf: demand, issuers: demand } as const
    const then = { existedAt: info.genTime, neededFor: info.genTime }
    const revocation = await chainRevocation(found.path, brought, then, work, demands)
    result.revocation = revocation.facts
    const provedAt = reliance?.provedAt ?? null
    const isGivenUp = revocation.facts.some(
      ({ revokedAt, reason }) =>
        revokedAt && !harmlessReasons.has(reason) && (provedAt === null || revokedAt <= provedAt),
    )
    if (isGivenUp || revocation.findings.some((finding) => isRevoked.has(finding)))
      result.findings.push('timestamp-untrusted')
    else if (revocation.findings.length > 0) result.findings.push('timestamp-revocation-unknown')
  }
  return result
}

/** Findings that no other evidence can change. */
const forged: ReadonlySet<Finding> = new Set(['wrong-signature', 'other-document'])

/**
 * Whether the hashes in the timestamp's signature and in the certificates are secure until then; the root's own
 * signature does not matter.
 */
function isStrongUntil(until: Date, signed: HashName, path: readonly Certificate[], ends: HashEnds): boolean {
  const issued = path.slice(0, -1).map((one) => signatureAlgorithmOf(one.signatureAlgorithm)?.hash)
  return [signed, ...issued].every((name) => name !== undefined && isHashSecure(name, until, ends))
}

/** Findings that stay; any other finding about revocation may change when more becomes known. */
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
