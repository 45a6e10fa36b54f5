/**
 * Checks an evidence bundle, in a browser or anywhere else: that it is whole and unchanged since it was signed, that what it
 * tells of the request stands in the transparency log, and that every signature holds, at the time at which it is proved to
 * have existed. Like the engine it finds and does not judge; nothing that stands in the bundle makes it throw.
 */
import type { SignerExamination } from '../examination/examine.ts'
import type { Finding } from '../examination/findings.ts'
import type { Trust } from '../examination/policy.ts'
import type { BundleDocument, BundleReader } from './bundle.ts'

export type BundleSetting = {
  trust: Trust
  /** The time of the check. */
  at: Date
  /**
   * The public key of the log (SPKI as DER) as it is known from elsewhere. Without it a bundle is only held against the key
   * it brings itself: whoever forges one brings a key of their own, so the log then proves no time.
   */
  logKey?: Uint8Array | null
}

export type BundleFault = {
  fault:
    /** Not an archive of ours at all, or one whose table of contents cannot be read. */
    | 'not-a-bundle'
    | 'too-much'
    | 'unsafe-name'
    | 'manifest-not-signed'
    | 'file-missing'
    | 'file-changed'
    /** Lies in the archive and is not in its table of contents. */
    | 'file-extra'
    /** The log's key is not the one that is known. */
    | 'log-key-other'
    | 'head-not-signed'
    /** The text of an event is not what was hashed into the log, or is of another request. */
    | 'entry-changed'
    | 'entry-not-in-log'
    /** Events are out of order, twice, or not as many as is said. */
    | 'history-incomplete'
    /** The log knows another signature, or another document, than the one that lies here. */
    | 'signature-not-in-log'
    | 'document-not-in-log'
    /** The one with the evidence is not the signature that came. */
    | 'durable-other'
  /** Which file or signature, or the number of the event. */
  of: string
}

export type BundleSignature = {
  id: string
  attempt: number
  signer: string
  side: { name: string; bin: string }
  receivedAt: Date
  /** The file of the signature with its evidence, and of the document it is under. */
  file: string
  document: string
  /** Since when it is proved to exist: by a timestamp, or by the log whose key is known. */
  existedAt: Date | null
  existedBy: 'timestamp' | 'log' | null
  examination: SignerExamination | null
  findings: Finding[]
}

export type BundleCheck = {
  faults: BundleFault[]
  /** Null where the bundle could not be read so far. */
  request: { id: string; name: string } | null
  madeAt: Date | null
  documents: (BundleDocument & { sha256: string; size: number })[]
  signatures: BundleSignature[]
  history: {
    /** Proved to stand in the log. */
    events: number
    /** Of these, such of which only a shortened text may be shown. */
    shortened: number
    leftOut: number
  } | null
  log: {
    /** SHA-256 of the public key in hexadecimal digits: to be compared with the one the house publishes. */
    fingerprint: string
    /** Whether it is the key that is known; null: none was given to compare with. */
    isKnown: boolean | null
    size: number
    at: Date
  } | null
}

export type CheckBundle = (files: BundleReader, setting: BundleSetting) => Promise<BundleCheck>
