/** The result of a check as plain values: sent by the worker, shown by the page, printed into the PDF. */
import type { Fault, Verdict } from '@kelisim/domain/signatures/verdict.ts'
import type { TimestampBasis, TrustBasis } from '@kelisim/signature/examination/trust-basis.ts'
import type { PdfSignature } from '@kelisim/signature/pdf/examine-pdf.ts'
import type { LogKeyState } from './log-keys.ts'

export type CheckOutcome =
  | 'valid'
  /** The document inside a PDF is signed; the pages that the PDF shows are not. */
  | 'inside'
  /** Proved to be invalid. */
  | 'invalid'
  /** Not proved to be valid, and waiting will not help. */
  | 'unconfirmed'
  /** Something that is needed could not be loaded now. */
  | 'later'
  /** A signature without its document. */
  | 'incomplete'
  /** A document without a signature. */
  | 'unsigned'
  /** Not the format it claims to be, or damaged. */
  | 'unreadable'

export type FileFacts = {
  name: string
  size: number
  /** SHA-256 in hexadecimal digits. */
  sha256: string
  /** The content of an envelope, for download. */
  inside: Blob | null
}

export type Report = {
  at: Date
  isDemo: boolean
  groups: Group[]
  /** What could not be asked without a network. */
  unasked?: Unasked
}

export type Unasked = {
  /** True: it could not be asked whether certificates were revoked. */
  revocation: boolean
  /** The time of the stored answer about whom the installation trusts; null: the installation was asked. */
  trustKeptAt: Date | null
}

/** Files that belong together: a document and its signatures, or one file with both. */
export type Group = {
  kind: 'detached' | 'electronic' | 'pdf' | 'xml' | 'card' | 'set' | 'bundle' | 'record' | 'alone'
  outcome: CheckOutcome
  /** The file that contained the others. */
  container: FileFacts | null
  documents: FileFacts[]
  signatures: SignatureReport[]
  bundle: BundleFacts | null
  /** The facts of an evidence record, if the group is one. */
  record?: RecordFacts
  /** The files embedded in a card. Their names were chosen by the maker of the PDF. */
  attachments?: { name: string; state: 'signed' | 'signature' | 'unsigned' }[]
  /** Why nothing could be read. */
  trouble: Trouble | null
  /** Scans from which the signatures were read. */
  sheets?: readonly string[]
  /** Addresses in the codes of a printed document. */
  links?: readonly string[]
}

export type Trouble =
  | 'empty'
  | 'damaged'
  | 'too-much'
  | 'unsafe-name'
  | 'codes-missing'
  | 'no-document'
  | 'docx'
  | 'document'

export type SignatureReport = {
  fileName: string
  /** Other files that contain the same signature. */
  alsoIn?: string[]
  /** The signed document. */
  document: string | null
  verdict: Verdict
  /** Findings about the container, which concern every signer. */
  faults: Fault[]
  signers: SignerReport[]
  /** Further facts of a signature inside a PDF. */
  inPdf?: PdfFacts
  inXml?: XmlFacts
}

/** Further facts of a signature inside XML. */
export type XmlFacts = {
  /** The paths of the signed elements; empty: the whole document is signed. */
  elements: string[]
  /** The exact bytes that were hashed; for download. */
  signed: Blob | null
}

export type PdfFacts = Pick<PdfSignature, 'format' | 'covers' | 'changesAfter'> & {
  /** The file as it was signed, if something was appended to it later; for download. */
  signedVersion: Blob | null
  /** The time of a timestamp over the whole document. */
  timestampTime: Date | null
  /** Why that timestamp is trusted; null: it is not valid, or there is none. */
  timestampTrust: TimestampBasis | null
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
  /** The time of the signer's clock. */
  signingTime: Date | null
  /** The time proved by a timestamp, or by our log. */
  provedTime: Date | null
  provedBy: 'timestamp' | 'log' | null
  certificate: CertificateFacts | null
  /** Why the certificate is trusted; null: there is no certificate. */
  trust: TrustBasis | null
  /** From the certificate of the signer to the root. */
  chain: string[]
  revocation: RevocationFacts | null
  timestamps: { time: Date | null; service: string | null; isGood: boolean }[]
  /** The power of attorney under which the signature was accepted, according to the log of a bundle. */
  power?: { number: string; validFrom: string; validUntil: string } | null
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
  /** The time of the certification centre's response. */
  at: Date | null
  revokedAt: Date | null
}

export type RecordFacts = {
  /** Since when the files are proved to exist. */
  existedAt: Date | null
  /** Until when the proof holds, if the record is not renewed. */
  holdsUntil: Date | null
  /** The number of files that belong to the record and are missing here. */
  others: number
  timestamps: { time: Date; service: string | null; hash: string; isGood: boolean }[]
  faults: Fault[]
}

export type BundleFacts = {
  request: string | null
  /** The sender according to the log, if its key is known. */
  sender: { name: string; bin: string; confirmedAt: string | null } | null
  madeAt: Date | null
  faults: { fault: string; of: string }[]
  /** The number of signatures on documents that were replaced later; they are not among `signatures`. */
  earlierSignatures: number
  events: number | null
  shortened: number
  leftOut: number
  /** False: the key of the log is not known, so the history may be invented. */
  isHistoryProved: boolean
  logFingerprint: string | null
  /** Null: the bundle has no log that could be checked. */
  logKey: LogKeyState | null
  /** The known witnesses who co-signed the head of the log; null: none are known. */
  witnessedBy: { name: string; at: Date }[] | null
}

/** Every verdict but a passed one is not valid; the outcome says whether trying again may help. */
export function outcomeOf({ verdict, subIndication }: Verdict): CheckOutcome {
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

const gravest: readonly CheckOutcome[] = [
  'invalid',
  'unconfirmed',
  'unreadable',
  'later',
  'incomplete',
  'unsigned',
  'inside',
  'valid',
]

/** The gravest outcome counts: one invalid signature makes the whole untrusted. */
export function worstOutcome(outcomes: readonly CheckOutcome[]): CheckOutcome {
  return gravest.find((one) => outcomes.includes(one)) ?? 'unsigned'
}
