/**
 * What an OCSP response says about a certificate, if it can be trusted: who may respond, about which certificate, and
 * for how long. Only the issuer may respond for its certificates, or a responder to which it issued a certificate for
 * that purpose. Certificates in the response are candidates for that and not trusted by themselves.
 */
import { hash } from '../algorithms/hash.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { octetString } from '../asn1/write.ts'
import { extensionOids, type Certificate, type Extension } from '../certificates/certificate.ts'
import { isSameName } from '../certificates/names.ts'
import { checkCertificateSigned, checkSigned, type SignedResult } from '../certificates/signed-by.ts'
import { ExcessError } from '../cms/signed-data.ts'
import { timeIn } from './crl.ts'
import { isMeant, ocspOids, type BasicOcspResponse, type SingleResponse } from './ocsp.ts'
import type { RevocationReason } from './reasons.ts'
import { clockAllowance, day } from '../time/durations.ts'

export type OcspProblem =
  /** It was not signed by anyone authorised by this issuer. */
  | 'not-authorised'
  | 'wrong-signature'
  | 'weak-algorithm'
  | 'unknown-critical-extension'
  /** It is about other certificates only. */
  | 'other-certificate'
  /** It says that this certificate is unknown. */
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
  /** The responder keeps the status of certificates that expired since this time; null: not stated. */
  archiveCutoff: Date | null
  /** The certificate whose key signed the response. Unless it has `ocspNoCheck`, it may itself have been revoked. */
  responder: Certificate
}

export type OcspDemands = {
  /**
   * When the response must be current: the time of the check or, for a response stored with a signature, the time
   * since which the response is known. The caller decides what a later revocation means.
   */
  at: Date
  /** The nonce of the request. A response with another one belongs to another request. */
  nonce?: Uint8Array
  /** Cached responses have no nonce; set this where they are not acceptable. */
  isNonceRequired?: boolean
  /** Further candidates for the responder's certificate, for responses that do not include it. */
  others?: readonly Certificate[]
  /** The maximum age in milliseconds of a response without nextUpdate. */
  maxAge?: number
  /** How the signature of a certificate is checked; callers that count checks replace it. */
  check?: typeof checkCertificateSigned
}

/** A response without nextUpdate is current when issued (RFC 6960); the centre renews its CRLs every day. */
const usualMaxAge = day

/**
 * Malformed parts of a response, or of its certificates, count as problems of the response and not of the signature.
 */
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
  const single = isSameName(certificate.issuer, issuer.subject)
    ? meantBy(response, certificate, issuer)
    : null
  if (!single) return unknown('other-certificate')
  if (hasUnknownCritical(single.extensions)) return unknown('unknown-critical-extension')
  const problem = timeProblem(single, response, demands)
  if (problem) return unknown(problem)
  const { thisUpdate, nextUpdate } = single
  const archiveCutoff = timeIn(single.extensions, ocspOids.archiveCutoff)
  const believed = { thisUpdate, nextUpdate, producedAt: response.producedAt, archiveCutoff, responder }
  if (single.status === 'revoked' && single.revokedAt) {
    return { status: 'revoked', revokedAt: single.revokedAt, reason: single.reason, ...believed }
  }
  return single.status === 'good' ? { status: 'good', ...believed } : unknown('unknown-status')
}

/** The certificate whose key signed the response, if it may do so; otherwise why there is none. */
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

/**
 * The certificates that the response names as its responder. The issuer comes first, because most responses need no
 * other.
 */
function candidatesOf(
  { responder, certificates }: BasicOcspResponse,
  issuer: Certificate,
  demands: OcspDemands,
) {
  const isNamed = (one: Certificate) =>
    'name' in responder
      ? isSameName(one.subject, responder.name)
      : isSame(hash('sha-1', one.publicKey.bits), responder.keyId)
  return [issuer, ...certificates, ...(demands.others ?? [])].filter(isNamed)
}

async function mayAnswerFor(
  issuer: Certificate,
  candidate: Certificate,
  { at, check = checkCertificateSigned }: OcspDemands,
): Promise<boolean> {
  const isIssuer =
    isSameName(candidate.subject, issuer.subject) && isSame(candidate.publicKey.der, issuer.publicKey.der)
  if (isIssuer) return true
  const { extendedKeyUsage, keyUsage, notBefore, notAfter, extensions } = candidate
  return (
    isSameName(candidate.issuer, issuer.subject) &&
    extendedKeyUsage?.includes(ocspOids.signing) === true &&
    (keyUsage === null || keyUsage.has('digitalSignature')) &&
    notBefore <= at &&
    at <= notAfter &&
    [...extensions.values()].every(({ oid, isCritical }) => !isCritical || understood.has(oid)) &&
    // last, because it is the only expensive check
    (await check(candidate, issuer.publicKey)) === 'valid'
  )
}

/**
 * Extensions that may be critical in a responder's certificate: they are checked above, or irrelevant for responding.
 */
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

/** Of several contradicting statements the worst counts, and of equal ones the newest. */
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
