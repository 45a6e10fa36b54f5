/** What the check found, as plain values: the worker sends it, the page shows it, the PDF prints it. */
import type { Fault, Verdict } from '@kelisim/domain/signatures/verdict.ts'

export type Outcome =
  | 'valid'
  /** Proved to be wrong. */
  | 'invalid'
  /** Not proved to be right, and waiting will not help. */
  | 'unconfirmed'
  /** Something that is needed could not be had just now. */
  | 'later'
  /** A signature without its document. */
  | 'incomplete'
  /** A document without a signature. */
  | 'unsigned'
  /** Not what it seems to be, or damaged. */
  | 'unreadable'

export type FileFacts = {
  name: string
  size: number
  /** SHA-256 in hexadecimal digits. */
  sha256: string
  /** What came out of an envelope, for whoever wants to read it. */
  inside: Blob | null
}

export type Report = { at: Date; isDemo: boolean; groups: Group[] }

/** What belongs together: a document and its signatures, or one file that holds both. */
export type Group = {
  kind: 'detached' | 'electronic' | 'card' | 'set' | 'bundle' | 'alone'
  outcome: Outcome
  /** The file that the rest came out of. */
  container: FileFacts | null
  documents: FileFacts[]
  signatures: SignatureReport[]
  bundle: BundleFacts | null
  /** Why nothing could be read, where that is so. */
  trouble: Trouble | null
}

export type Trouble = 'empty' | 'damaged' | 'too-much' | 'unsafe-name' | 'no-document' | 'docx' | 'document'

export type SignatureReport = {
  fileName: string
  /** The document it is under. */
  document: string | null
  verdict: Verdict
  /** Of the container; they concern every signer. */
  faults: Fault[]
  signers: SignerReport[]
}

export type SignerReport = {
  verdict: Verdict
  faults: Fault[]
  name: string | null
  iin: string | null
  organization: string | null
  bin: string | null
  roles: readonly string[]
  algorithm: string | null
  /** What the signer's clock said. */
  signingTime: Date | null
  /** Proved by a timestamp, or by the log of the house. */
  provedTime: Date | null
  provedBy: 'timestamp' | 'log' | null
  certificate: CertificateFacts | null
  /** From the signer's to the root. */
  chain: string[]
  revocation: RevocationFacts | null
  timestamps: { time: Date | null; service: string | null; isGood: boolean }[]
}

export type CertificateFacts = {
  subject: string
  issuer: string
  serialNumber: string
  validFrom: Date
  validTo: Date
  policies: string[]
  keyUsage: string[]
}

export type RevocationFacts = {
  status: 'good' | 'revoked' | 'unknown'
  by: 'ocsp' | 'crl' | null
  /** When the centre said so. */
  at: Date | null
  revokedAt: Date | null
}

export type BundleFacts = {
  request: string | null
  madeAt: Date | null
  faults: { fault: string; of: string }[]
  events: number | null
  shortened: number
  leftOut: number
  logFingerprint: string | null
  isLogKnown: boolean | null
}

/** Only what passed is a signature; of the rest it is said whether asking again may help. */
export function outcomeOf({ verdict, subIndication }: Verdict): Outcome {
  switch (verdict) {
    case 'TOTAL-PASSED':
      return 'valid'
    case 'TOTAL-FAILED':
      return 'invalid'
    case 'INDETERMINATE':
      if (subIndication === 'TRY_LATER') return 'later'
      return subIndication === 'SIGNED_DATA_NOT_FOUND' ? 'incomplete' : 'unconfirmed'
  }
}

const gravest: readonly Outcome[] = [
  'invalid',
  'unconfirmed',
  'unreadable',
  'later',
  'incomplete',
  'unsigned',
  'valid',
]

/** One bad signature makes the whole untrusted. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return gravest.find((one) => outcomes.includes(one)) ?? 'unsigned'
}
