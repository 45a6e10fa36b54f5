/** What is required of a signature beyond being valid. */
import type { HashEnds } from '../algorithms/lifetimes.ts'
import type { Certificate } from '../certificates/certificate.ts'
import type { SignerPolicy } from '../cms/check-signer.ts'
import type { Crl } from '../revocation/crl.ts'
import type { BasicOcspResponse } from '../revocation/ocsp.ts'

export type Policy = SignerPolicy & {
  /** optional: if there are timestamps, each of them must be valid. */
  timestamp: 'ignore' | 'optional' | 'required'
  /**
   * Which evidence is required that the signer's certificate is not revoked. Evidence that exists counts in any case.
   */
  revocation: 'none' | 'any' | 'ocsp' | 'crl'
  /** The same for the certificates of centres, whose revocation services are not the signer's. */
  issuerRevocation: 'if-known' | 'required'
  keyUsage: 'sign' | 'nonRepudiation'
  /**
   * Whether revocation evidence inside the signature counts; it does by default. Ignored where only the present
   * matters.
   */
  broughtEvidence?: 'counts' | 'ignore'
  /**
   * Which evidence proves that a signer's certificate was not revoked (docs/decisions/018-evidence-has-an-age.md).
   * `since-signature`, the default: only evidence produced at or after the time since which the signature is known to
   * exist. `current`: what is valid at the time of the check, for paths that are judged at a time without a
   * signature.
   */
  evidenceAge?: 'since-signature' | 'current'
  /**
   * How long a timestamp proves its time. `own-time`, the default: its service has to be trusted at the time of the
   * timestamp. `until-check` (EN 319 102-1, 5.6): it has to be trusted until another timestamp proves it, or until
   * the check, because a key can be stolen after its certificate has ended.
   */
  timestampLife?: 'own-time' | 'until-check'
  /** Until when hashes can be relied on; replaces the built-in table. */
  hashEnds?: HashEnds
}

export const defaultPolicy: Policy = {
  signedAttributes: 'required',
  signingCertificate: 'optional',
  timestamp: 'optional',
  revocation: 'any',
  issuerRevocation: 'if-known',
  keyUsage: 'sign',
}

/**
 * For files of unknown origin: a key that is only for signing in binds nobody to a document, so the certificate has
 * to be one for signatures.
 */
export const filePolicy: Policy = { ...defaultPolicy, keyUsage: 'nonRepudiation' }

/** Trust comes only from here, never from a message. */
export type Trust = {
  roots: readonly Certificate[]
  /** Intermediate centres, for messages that do not include them. */
  others: readonly Certificate[]
}

export type Evidence = {
  crls: readonly Crl[]
  ocsp: readonly BasicOcspResponse[]
  /** Services that could not be reached. */
  unreachable?: readonly ('ocsp' | 'crl')[]
}

/**
 * Where evidence about a certificate comes from: given files, or the centre's services. `isProvedGood`: valid evidence
 * inside the signature proves already that it was not revoked, so that a service need not be asked.
 */
export type EvidenceSource = (
  certificate: Certificate,
  issuer: Certificate,
  isProvedGood: boolean,
) => Promise<Evidence>

export type Setting = {
  trust: Trust
  evidence: EvidenceSource
  policy: Policy
  /** The time of the check: now, or a given time. */
  at: Date
  /** When the signature was received; by default the time of the check. */
  receivedAt?: Date
  /**
   * When something else proves that the signature existed, such as a timestamp over the whole file that contains it.
   */
  provedAt?: Date
  /** When something else proves that the document itself existed, by another hash than the signature's. */
  documentProvedAt?: Date
  /** Evidence that came with the signature, but not inside it. */
  brought?: Pick<Evidence, 'crls' | 'ocsp'>
  /** How far the clocks of services may be ahead of this one, in milliseconds: for checks of the present. */
  clockAllowance?: number
}

/** Evidence in files: all of it is searched for every certificate. */
export function evidenceAtHand(evidence: Evidence): EvidenceSource {
  return () => Promise.resolve(evidence)
}
