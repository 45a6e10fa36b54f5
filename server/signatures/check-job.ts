/** The input and output of a signature check, in a form that can be posted to workers. */
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import type { HashName } from '@kelisim/signature/algorithms/hash.ts'
import type { NcaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { Policy } from '@kelisim/signature/examination/policy.ts'
import type { HashedBytes } from '@kelisim/signature/timestamps/timestamp.ts'

/** The data a worker starts with. */
export type CheckSetup = {
  /** Certificates as DER. */
  roots: readonly Uint8Array[]
  centres: readonly Uint8Array[]
}

export type CheckJob = {
  /** Small content inline; long content by the path of its file, because the event loop never holds a document. */
  signature: Uint8Array | { path: string }
  /** The signature is the newest one inside this PDF; there is no other document then. */
  isInPdf?: boolean
  /** The signature is an element that stands in the document, which is XML. */
  isInXml?: boolean
  /** The same element with its evidence. */
  proved?: Uint8Array | undefined
  document: Uint8Array | CheckedDocument | null
  at: Date
  /** When the signature was received, if that was earlier than `at`: evidence must not be older than this. */
  receivedAt?: Date
  policy: Policy
}

/** `digests` are already known for exactly these bytes, whose SHA-256 was verified just before. */
export type CheckedDocument = { path: string; digests?: readonly KnownDigest[] | undefined }

export type KnownDigest = { algorithm: HashName; digest: Uint8Array }

export type CheckResult = {
  /** Digests of the document that had to be computed. */
  digests?: KnownDigest[]
  /** Faults of the container; they concern every signer. */
  faults: Fault[]
  signers: CheckedSigner[]
}

export type CheckedSigner = {
  faults: Fault[]
  /** DER. */
  certificate: Uint8Array | null
  /** As shown to people. */
  certificateFacts: { serialNumber: string; issuer: string; validFrom: Date; validTo: Date } | null
  owner: NcaProfile | null
  algorithm: string | null
  /** SHA-256 that identifies one act of signing by one key, in hexadecimal digits. */
  actDigest: string
  signingTime: Date | null
  timestampTime: Date | null
  /** When the signer's certificate was revoked, before or after it mattered; null: not known to be revoked. */
  revokedAt: Date | null
  evidence: CheckEvidence
}

/** The evidence of the check, to be stored with the signature. All as DER, the signer's certificate first. */
export type CheckEvidence = {
  certificates: Uint8Array[]
  ocspResponses: Uint8Array[]
  crls: UsedList[]
}

/** CRLs are too long to be stored with each signature, so the evidence refers to them by hash. */
export type UsedList = {
  issuer: Uint8Array
  number: string | null
  thisUpdate: Date
  nextUpdate: Date | null
  /** In hexadecimal digits. */
  sha256: string
  der: Uint8Array
}

/** A timestamp that a service has just given. */
export type TimestampJob = { token: Uint8Array; over: HashedBytes; at: Date }

export type CheckedTimestamp = {
  faults: Fault[]
  time: Date | null
  /** When the first certificate on its path ends. */
  endsAt: Date | null
  /** The certificates between the service and the root, as DER. */
  centres: Uint8Array[]
}

/** What a worker requests from the main thread, which has network access with its limits. */
export type Question =
  | { kind: 'ocsp'; request: Uint8Array; addresses: string[] }
  | { kind: 'crl'; addresses: string[] }

export type OcspAnswer = { response: Uint8Array } | { isUnreachable: true } | { isUnasked: true }
/** CRLs by path, and whether some were unavailable. */
export type CrlAnswer = { paths: string[]; isUnreachable: boolean }
