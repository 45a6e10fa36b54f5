/** What is stored of a check beside the signature, as JSON that can be shown again years later. */
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import type { CheckedSigner } from './check-job.ts'

/** The evidence on which the verdict is based. */
export function evidenceOf({ algorithm, signingTime, timestampTime, evidence }: CheckedSigner): object {
  const { certificates, ocspResponses, crls } = evidence
  return {
    algorithm,
    signingTime,
    timestampTime,
    certificates: certificates.map(base64),
    ocspResponses: ocspResponses.map(base64),
    crls: crls.map(({ der: _, ...crl }) => ({ ...crl, issuer: base64(crl.issuer) })),
  }
}

/** The evidence as read from the database, even years later: fields that were not stored then are missing. */
export type KeptEvidence = {
  timestampTime?: string | null
  /** The signer's first. Base64 of DER, as are the responses. */
  certificates?: string[]
  ocspResponses?: string[]
  crls?: { sha256?: string }[]
}

/** The certificate's owner and how it was checked, as shown to people. */
export type CertificateFacts = {
  fullName: string
  iin: string | null
  bin: string | null
  organization: string | null
  serialNumber: string
  issuer: string
  validFrom: string
  validTo: string
  algorithm: string
  revocation: 'ocsp' | 'crl' | null
  timestampTime: string | null
}

export function certificateFacts(signer: CheckedSigner): CertificateFacts | null {
  const { owner, certificateFacts: facts, algorithm, timestampTime, evidence } = signer
  if (!owner || !facts) return null
  const { iin, bin, organization } = owner
  return {
    fullName: fullNameOf(owner),
    iin,
    bin,
    organization,
    serialNumber: facts.serialNumber,
    issuer: facts.issuer,
    validFrom: facts.validFrom.toISOString(),
    validTo: facts.validTo.toISOString(),
    algorithm: algorithm ?? '',
    revocation: evidence.ocspResponses.length > 0 ? 'ocsp' : evidence.crls.length > 0 ? 'crl' : null,
    timestampTime: timestampTime?.toISOString() ?? null,
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
