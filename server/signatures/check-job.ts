/** What goes into a signature check and what comes out, in a form that workers can be sent. */
import type { Fault } from '@kelisim/domain/signatures/verdict.ts'
import type { NcaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { Policy } from '@kelisim/signature/examination/policy.ts'

/** What workers are born with. */
export type CheckSetup = {
  /** Certificates as DER. */
  roots: readonly Uint8Array[]
  centres: readonly Uint8Array[]
}

export type CheckJob = {
  /** Small things as they are; what may be long by the path of its file, for the event loop never holds a document. */
  signature: Uint8Array | { path: string }
  document: Uint8Array | { path: string } | null
  at: Date
  policy: Policy
}

export type CheckResult = {
  /** Of the container; they concern every signer. */
  faults: Fault[]
  signers: CheckedSigner[]
}

export type CheckedSigner = {
  faults: Fault[]
  /** DER. */
  certificate: Uint8Array | null
  /** As it is shown to people. */
  certificateFacts: { serialNumber: string; issuer: string; validFrom: Date; validTo: Date } | null
  owner: NcaProfile | null
  algorithm: string | null
  /** SHA-256 of what names one act of one key, in hexadecimal digits. */
  actDigest: string
  signingTime: Date | null
  timestampTime: Date | null
  /** When the signer's certificate was revoked, be it before or after it mattered; null: it is not known to be. */
  revokedAt: Date | null
  evidence: CheckEvidence
}

/** What the check rests on, to be kept with the signature. All as DER, the signer's certificate first. */
export type CheckEvidence = {
  certificates: Uint8Array[]
  ocspResponses: Uint8Array[]
  crls: UsedList[]
}

/** Lists are too long to be kept with each signature: there it stands which one it was, by its hash. */
export type UsedList = {
  issuer: Uint8Array
  number: string | null
  thisUpdate: Date
  nextUpdate: Date | null
  /** In hexadecimal digits. */
  sha256: string
  der: Uint8Array
}

/** What a worker asks the main thread while it works: the network is there, with its limits. */
export type Question =
  | { kind: 'ocsp'; request: Uint8Array; addresses: string[] }
  | { kind: 'crl'; addresses: string[] }

export type OcspAnswer = { response: Uint8Array } | { isUnreachable: true } | { isUnasked: true }
/** Lists by path, and whether some could not be had. */
export type CrlAnswer = { paths: string[]; isUnreachable: boolean }
