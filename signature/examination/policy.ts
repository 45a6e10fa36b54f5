/** What is asked of a signature beyond its being one. */
import type { Certificate } from '../certificates/certificate.ts'
import type { SignerPolicy } from '../cms/check-signer.ts'
import type { Crl } from '../revocation/crl.ts'
import type { BasicOcspResponse } from '../revocation/ocsp.ts'

export type Policy = SignerPolicy & {
  /** optional: where there are timestamps, each of them must hold. */
  timestamp: 'ignore' | 'optional' | 'required'
  /** Which evidence there must be that the signer's certificate is not revoked. What there is counts in any case. */
  revocation: 'none' | 'any' | 'ocsp' | 'crl'
  /** The same of the centres' certificates; their services are not the signer's. */
  issuerRevocation: 'if-known' | 'required'
  keyUsage: 'sign' | 'nonRepudiation'
  /** Whether revocation evidence inside the signature counts; not where only the present does. Counts where left out. */
  broughtEvidence?: 'counts' | 'ignore'
}

export const defaultPolicy: Policy = {
  signedAttributes: 'required',
  signingCertificate: 'optional',
  timestamp: 'optional',
  revocation: 'any',
  issuerRevocation: 'if-known',
  keyUsage: 'sign',
}

/** Trust comes from here alone, never from what a message brings. */
export type Trust = {
  roots: readonly Certificate[]
  /** Centres below the roots, for messages that do not bring them. */
  others: readonly Certificate[]
}

export type Evidence = {
  crls: readonly Crl[]
  ocsp: readonly BasicOcspResponse[]
  /** Services that were asked and could not be reached. */
  unreachable?: readonly ('ocsp' | 'crl')[]
}

/** Where evidence about a certificate comes from: files at hand, or the centre's services. */
export type EvidenceSource = (certificate: Certificate, issuer: Certificate) => Promise<Evidence>

export type Setting = {
  trust: Trust
  evidence: EvidenceSource
  policy: Policy
  /** The time of the check: now, or a time asked about. */
  at: Date
  /** How far the clocks of services may be ahead of ours, in milliseconds: for checks of the present. */
  clockAllowance?: number
}

/** Evidence in files: whatever is there is looked through for every certificate. */
export function evidenceAtHand(evidence: Evidence): EvidenceSource {
  return () => Promise.resolve(evidence)
}
