/**
 * The evidence bundle: one archive with a document, its signatures and all their evidence, which anybody can check
 * without us. This file defines its content; server/outputs/bundle writes it, check-bundle.ts checks it.
 *
 *   manifest.json        every file with its SHA-256, every signature and which files are its evidence
 *   manifest.sig         Ed25519 of the log's key over the bytes of manifest.json
 *   SHA256SUMS           the same hashes for `sha256sum -c`
 *   README.{ru,kk,en}.txt
 *   documents/…          the signed document, and the documents that terminated it
 *   documents/earlier/…  what was replaced before everybody had signed, with what was signed of it
 *   documents/signed/…   the same PDF with its signatures inside, where it was signed so
 *   signatures/01/…      as received, the same with all its evidence, its chain, OCSP responses, timestamps
 *   signatures/01/signed.xml  the document with this signature inside, where XML was signed so
 *   signatures/01/record.er   proves since when the document and the signature exist, renewed before it ends
 *   lists/….crl          the CRLs on which verdicts are based
 *   history/entries.jsonl   one line an event: the exact texts that were hashed into the transparency log
 *   history/proofs.txt      for each line: number, leaf, hash of the leaf, and the siblings on the path to the root
 *   log/key.pem, log/head.json, log/head.sig   the log's public key, and a signed head
 *   log/checkpoint.txt      the same head as a signed note, with the co-signatures of witnesses
 *   report.pdf           the signing report
 */

export const bundleFormat = 'kelisim-evidence'

export const bundleFiles = {
  manifest: 'manifest.json',
  manifestSignature: 'manifest.sig',
  sums: 'SHA256SUMS',
  entries: 'history/entries.jsonl',
  proofs: 'history/proofs.txt',
  logKey: 'log/key.pem',
  head: 'log/head.json',
  headSignature: 'log/head.sig',
  checkpoint: 'log/checkpoint.txt',
  report: 'report.pdf',
} as const

export type BundleManifest = {
  format: typeof bundleFormat
  version: 1
  madeAt: string
  request: { id: string; name: string }
  documents: BundleDocument[]
  /** The documents before the last correction, in their order; left out if there was none. */
  earlier?: BundleRevision[]
  signatures: BundleSignatureFiles[]
  history: {
    /** All events of the request, including those that are not in the bundle. */
    events: number
    /** Steps inside an organisation that the recipient of the bundle may not see. */
    leftOut: number
  }
  files: Record<string, { sha256: string; size: number }>
}

export type BundleDocument = {
  /** 0: the signed document; 1, 2 …: the document of each attempt to terminate. */
  attempt: number
  file: string
  /** The name shown to people. */
  name: string
}

export type BundleRevision = {
  /** 1 is what was sent first. */
  revision: number
  sha256: string
  /** Null: the recipient of the bundle never had this document. */
  file: string | null
  name: string
}

export type BundleSignatureFiles = {
  id: string
  attempt: number
  /** The earlier document that was signed: such a signature counts for nothing. Left out: the newest one was signed. */
  revision?: number
  /** Who signed and for whom, as stored by the product; the check reads the certificate itself. */
  signer: string
  side: { name: string; bin: string }
  receivedAt: string
  /** The signature as received; if a timestamp was requested from the signer, with and without it. */
  cms: string
  timestampedCms: string | null
  /** One detached CMS with everything inside; what is too long for that is in `lists`. */
  durable: string
  chain: string
  ocsp: string[]
  timestamps: string[]
  lists: string[]
  /**
   * For a signature inside the document: the PDF that carries it and the bytes that it covers, which are all up to
   * `end` except the signature itself between `from` and `to`. Left out: the signature covers the document as it is.
   */
  inside?: { file: string; from: number; to: number; end: number }
  /**
   * For a signature inside XML: the document with `durable` inside. `cms` and `durable` are then the signature
   * element. Left out: the signature is not inside XML.
   */
  signedXml?: string
  /**
   * An evidence record (RFC 4998) over the document and `durable`; left out in bundles from before evidence records
   * existed.
   */
  record?: string | null
}

/** The product never writes more, so more is an attempt to exhaust memory or time. */
export const bundleLimits = {
  files: 5000,
  /** The size of all files together, unpacked. */
  bytes: 2 * 1024 ** 3,
  /** The size of a file that has to be held in memory whole; CRLs are the largest. */
  wholeFile: 64 * 1024 ** 2,
  /** The length of a line of the history. */
  line: 256 * 1024,
  signatures: 512,
}

/**
 * Whether a name stays inside the folder it is unpacked into, on any system, and is not read backwards to hide its
 * ending.
 */
export function isSafeName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 400 &&
    !/[\\:\u0000-\u001f\u007f\u202d\u202e]/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/** The archive as input of the check: names as written, bytes in pieces, readable repeatedly. */
export type BundleReader = {
  names: readonly string[]
  read: (name: string) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export function filesAtHand(files: ReadonlyMap<string, Uint8Array>): BundleReader {
  return { names: [...files.keys()], read: (name) => [files.get(name) ?? new Uint8Array()] }
}
