/** What a bundle is checked against, and what the check of a bundle reports. */
import type { RecordExamination } from '../evidence-records/examine.ts'
import type { SignerExamination } from '../examination/examine.ts'
import type { Trust } from '../examination/policy.ts'
import type { Finding } from '../findings/findings.ts'
import type { VerifierKey } from '../transparency/note.ts'
import type { BundleDocument, BundleReader } from './bundle.ts'
import type { BundleFault } from './bundle-fault.ts'
import type { LoggedSending, NamedPower } from './check-history.ts'

export type BundleSetting = {
  trust: Trust
  /** The time of the check. */
  at: Date
  /**
   * The public keys of logs (SPKI as DER) from a trusted source. Without one a bundle is checked only against the key
   * it contains: a forger would include a key of their own, so the log then proves neither a time nor the history.
   */
  logKeys?: readonly Uint8Array[]
  /** The keys of witnesses, from a trusted source too: those in the bundle could be anybody's. */
  witnesses?: readonly VerifierKey[]
}

export type BundleSignature = {
  id: string
  attempt: number
  /**
   * The revision that was signed, if it was replaced later and the signature thus counts for nothing; null: the
   * newest revision was signed.
   */
  earlierRevision: number | null
  signer: string
  side: { name: string; bin: string }
  receivedAt: Date
  /**
   * Which of these the known log confirms. Entries of earlier versions of the product do not name the sides, so the
   * side is then only what the maker of the bundle states.
   */
  isBound: { signer: boolean; receivedAt: boolean; side: boolean }
  /** The power of attorney under which it was accepted, as the log has it. */
  power: NamedPower | null
  /** The file of the signature with its evidence, and of its document. */
  file: string
  document: string
  /** Since when the signature is proved to exist: by a timestamp, or by the log whose key is known. */
  existedAt: Date | null
  existedBy: 'timestamp' | 'log' | null
  /** What its evidence record proves; null: it has none. */
  record: RecordExamination | null
  examination: SignerExamination | null
  findings: Finding[]
}

export type BundleCheck = {
  faults: BundleFault[]
  /** Null if the check failed before the request was read. */
  request: {
    id: string
    name: string
    /** Whether the known log confirms the name. */
    isNameBound: boolean
    /** Who sent it, as the known log has it. */
    sender: LoggedSending['sender'] | null
  } | null
  madeAt: Date | null
  documents: (BundleDocument & { sha256: string; size: number })[]
  signatures: BundleSignature[]
  history: {
    /** Proved to be in the log, word for word. */
    events: number
    /** More entries, with a text that nothing binds to the log. */
    shortened: number
    leftOut: number
    /** Whether the key of the log is known; without it, whoever made the bundle may have invented the history. */
    isProved: boolean
  } | null
  log: {
    /** SHA-256 of the public key in hexadecimal digits, to be compared with the published one. */
    fingerprint: string
    /** Whether the key is a known one; null: no known key was given. */
    isKnown: boolean | null
    size: number
    /** The root of the tree, by which it can be compared with the log that others know. */
    root: Uint8Array
    at: Date
    /** The known witnesses who co-signed this head of the log, and when. */
    witnessedBy: { name: string; at: Date }[]
  } | null
}

export type CheckBundle = (files: BundleReader, setting: BundleSetting) => Promise<BundleCheck>

/** The result for a file that cannot be opened. */
export const emptyCheck: BundleCheck = {
  faults: [],
  request: null,
  madeAt: null,
  documents: [],
  signatures: [],
  history: null,
  log: null,
}
