/** An evidence record as data, whether it came as ASN.1 (RFC 4998) or as XML (RFC 6283). */
import type { HashName } from '../algorithms/hash.ts'
import type { Finding } from '../findings/findings.ts'
import type { CanonicalForm } from '../xml/canonical.ts'

export type EvidenceRecord = {
  format: 'asn1' | 'xml'
  /** The oldest first. A chain ends where the hash had to be changed. */
  chains: ArchiveChain[]
}

export type ArchiveChain = {
  hash: HashName
  timestamps: ArchiveTimestamp[]
  /**
   * What a change of the hash has to cover: the bytes of all chains before this one. XML may have been written in
   * several equivalent ways, each of which is listed. Empty for the first chain.
   */
  older: Uint8Array[]
  /** The form in which XML documents are hashed; null: all documents are hashed as they are. */
  form: CanonicalForm | null
}

export type ArchiveTimestamp = {
  /** The reduced hash tree. Empty: the timestamp is over a single hash. */
  lists: Uint8Array[][]
  /** TimeStampToken (RFC 3161). */
  token: Uint8Array
  imprint: { hash: HashName; digest: Uint8Array }
  time: Date
  /** The bytes that the next timestamp of the chain has to cover. */
  renewable: Uint8Array
  /** Evidence about the timestamp service that is not in the token. */
  certificates: Uint8Array[]
  crls: Uint8Array[]
  ocspResponses: Uint8Array[]
}

/** The record cannot be judged, for this reason. */
export class RecordError extends Error {
  readonly finding: Finding
  constructor(finding: Finding, message: string) {
    super(message)
    this.name = 'RecordError'
    this.finding = finding
  }
}

/** Thirty years of yearly renewals stay far below these limits; more is an attack. */
export const recordLimits = {
  chains: 64,
  timestamps: 512,
  lists: 64,
  hashes: 20_000,
  bytes: 64 * 1024 ** 2,
  /** Each chain covers everything before it once more. */
  coveredBytes: 256 * 1024 ** 2,
}

export function refuseTooMuch(bytes: Uint8Array, chains: number): void {
  if (bytes.length * chains > recordLimits.coveredBytes) throw new RecordError('too-much', 'Too many chains')
}
