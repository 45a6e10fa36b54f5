/**
 * What an OCSP answer says about a certificate, if it is to be believed: who may answer, about whom, and for how long.
 *
 * Only the issuer answers for its certificates, or one to whom it gave a certificate for just that. Certificates that
 * come with the answer are tried as that one and trusted for nothing.
 */
import { hash } from '../algorithms/hash.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { octetString } from '../asn1/write.ts'
import { extensionOids, type Certificate, type Extension } from '../certificates/certificate.ts'
import { checkCertificateSigned, checkSigned, type SignedResult } from '../certificates/signed-by.ts'
import { ExcessError } from '../cms/signed-data.ts'
import { isMeant, ocspOids, type BasicOcspResponse, type SingleResponse } from './ocsp.ts'
import type { RevocationReason } from './reasons.ts'
import { clockAllowance, day } from '../time/durations.ts'

export type OcspProblem =
  /** Nobody who may answer for this issuer has signed it. */
  | 'not-authorised'
  | 'wrong-signature'
  | 'weak-algorithm'
  | 'unknown-critical-extension'
  /** It speaks of other certificates only. */
  | 'other-certificate'
  /** It says that it knows nothing of this one. */
  | 'unknown-status'
  | 'not-yet'
  | 'stale'
  | 'nonce'

export type OcspFinding =
  | ({ status: 'good' } & Believed)
  | ({ status: 'revoked'; revokedAt: Date; reason: RevocationReason | null } & Believed)
  | { status: 'unknown'; problem: OcspProblem }

type Believed = {
  thisUpdate: Date
  nextUpdate: Date | null
  producedAt: Date
  /** Whose key signed it. One without `ocspNoCheck` may itself have been revoked. */
  responder: Certificate
}

export type OcspDemands = {
  /**
   * When the answer must be current: the time of the check, or for an answer that was kept with a signature the time
   * from which it is known. What follows from a later revocation is for the caller to say.
   */
  at: Date
  /** What was sent with the question. An answer that has another one is to another question. */
  nonce?: Uint8Array
  /** Answers kept ready for everyone have no nonce; where they will not do, say so. */
  isNonceRequired?: boolean
  /** More candidates for the responder's certificate, for answers that do not bring it. */
  others?: readonly Certificate[]
  /** How old an answer may be that does not say itself when it ends, in milliseconds. */
  maxAge?: number
  /** How a certificate's signature is checked, for callers that count. */
  check?: typeof checkCertificateSigned
}

/** A response without nextUpdate is current when issued (RFC 6960); the centre renews its CRLs every day. */
const usualMaxAge = day

/** What cannot be read in an answer, or in the certificates it brings, is its own fault and not the signature's. */
export async function revokedByOcsp(
  certificate: Certificate,
  issuer: Certificate,
  response: BasicOcspResponse,
  demands: OcspDemands,
): Promise<OcspFinding> {
  try {
    return await judge(certificate, issuer, response, demands)
  } catch (error) {
    if (!(error instanceof MalformedError) || error instanceof ExcessError) throw error
    return { status: 'unknown', problem: 'wrong-signature' }
  }
}

async function judge(
  certificate: Certificate,
  issuer: Certificate,
  response: BasicOcspResponse,
  demands: OcspDemands,
): Promise<OcspFinding> {
  const unknown = (problem: OcspProblem): OcspFinding => ({ status: 'unknown', problem })
  const responder = await responderOf(response, issuer, demands)
  if (typeof responder === 'string') return unknown(responder)
  if (hasUnknownCritical(response.extensions)) return unknown('unknown-critical-extension')
  if (!isNonceRight(response, demands)) return unknown('nonce')
  const single = isSame(certificate.issuer, issuer.subject) ? meantBy(response, certificate, issuer) : null
  if (!single) return unknown('other-certificate')
  if (hasUnknownCritical(single.extensions)) return unknown('unknown-critical-extension')
  const problem = timeProblem(single, response, demands)
  if (problem) return unknown(problem)
  const { thisUpdate, nextUpdate } = single
  const believed = { thisUpdate, nextUpdate, producedAt: response.producedAt, responder }
  if (single.status === 'revoked' && single.revokedAt) {
    return { status: 'revoked', revokedAt: single.revokedAt, reason: single.reason, ...believed }
  }
  return single.status === 'good' ? { status: 'good', ...believed } : unknown('unknown-status')
}

/** The certificate whose key signed the answer and may do so, or why there is none. */
async function responderOf(
  response: BasicOcspResponse,
  issuer: Certificate,
  demands: OcspDemands,
): Promise<Certificate | 'not-authorised' | 'wrong-signature' | 'weak-algorithm'> {
  let outcome: SignedResult | null = null
  for (const candidate of candidatesOf(response, issuer, demands)) {
    if (!(await mayAnswerFor(issuer, candidate, demands))) continue
    outcome = await checkSigned(response, candidate.publicKey)
    if (outcome === 'valid') return candidate
  }
  if (outcome === null) return 'not-authorised'
  return outcome === 'weak-algorithm' ? 'weak-algorithm' : 'wrong-signature'
}

/** Those whom the answer names. The issuer comes first: most need no other. */
function candidatesOf(
  { responder, certificates }: BasicOcspResponse,
  issuer: Certificate,
  demands: OcspDemands,
) {
  const isNamed = (one: Certificate) =>
    'name' in responder
      ? isSame(one.subject, responder.name)
      : isSame(hash('sha-1', one.publicKey.bits), responder.keyId)
  return [issuer, ...certificates, ...(demands.others ?? [])].filter(isNamed)
}

async function mayAnswerFor(
  issuer: Certificate,
  candidate: Certificate,
  { at, check = checkCertificateSigned }: OcspDemands,
): Promise<boolean> {
  const isIssuer =
    isSame(candidate.subject, issuer.subject) && isSame(candidate.publicKey.der, issuer.publicKey.der)
  if (isIssuer) return true
  const { extendedKeyUsage, keyUsage, notBefore, notAfter, extensions } = candidate
  return (
    isSame(candidate.issuer, issuer.subject) &&
    extendedKeyUsage?.includes(ocspOids.signing) === true &&
    (keyUsage === null || keyUsage.has('digitalSignature')) &&
    notBefore <= at &&
    at <= notAfter &&
    [...extensions.values()].every(({ oid, isCritical }) => !isCritical || understood.has(oid)) &&
    // last, for it is the only one that costs anything
    (await check(candidate, issuer.publicKey)) === 'valid'
  )
}

/** What may be critical in a responder's certificate: these are looked at above, or say nothing about answering. */
const understood: ReadonlySet<string> = new Set([
  extensionOids.keyUsage,
  extensionOids.extendedKeyUsage,
  extensionOids.basicConstraints,
  extensionOids.certificatePolicies,
  extensionOids.subjectAltName,
  extensionOids.ocspNoCheck,
])

function hasUnknownCritical(extensions: ReadonlyMap<string, Extension>): boolean {
  return [...extensions.values()].some(({ oid, isCritical }) => isCritical && !understoodInAnswers.has(oid))
}

const understoodInAnswers: ReadonlySet<string> = new Set([
  ocspOids.nonce,
  ocspOids.archiveCutoff,
  ocspOids.extendedRevoke,
])

function isNonceRight({ extensions }: BasicOcspResponse, { nonce, isNonceRequired }: OcspDemands): boolean {
  const answered = extensions.get(ocspOids.nonce)
  if (!nonce) return true
  return answered ? isSame(answered.value, octetString(nonce)) : isNonceRequired !== true
}

/** Of several that contradict each other the worst, and of equals the youngest. */
function meantBy(response: BasicOcspResponse, certificate: Certificate, issuer: Certificate) {
  const meant = response.singles.filter(({ id }) => isMeant(id, certificate, issuer))
  const sorted = meant.toSorted(
    (one, other) =>
      severity[other.status] - severity[one.status] ||
      (one.status === 'revoked'
        ? Number(one.revokedAt) - Number(other.revokedAt)
        : Number(other.thisUpdate) - Number(one.thisUpdate)),
  )
  return sorted[0] ?? null
}

const severity: Record<SingleResponse['status'], number> = { good: 0, unknown: 1, revoked: 2 }

function timeProblem(
  { thisUpdate, nextUpdate }: SingleResponse,
  { producedAt }: BasicOcspResponse,
  { at, maxAge = usualMaxAge }: OcspDemands,
): 'not-yet' | 'stale' | null {
  const soonest = Math.max(Number(thisUpdate), Number(producedAt))
  if (soonest > Number(at) + clockAllowance) return 'not-yet'
  const end = nextUpdate ? Number(nextUpdate) : Number(thisUpdate) + maxAge
  return Number(at) > end ? 'stale' : null
}
