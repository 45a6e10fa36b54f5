/**
 * The evidence bundle: one archive with a document, its signatures and all that they rest on, to be checked by anybody without
 * us. This file says what lies in it; who writes it is server/outputs/bundle, who checks it check-bundle.ts.
 *
 *   manifest.json        what is there: every file with its SHA-256, every signature and which files are its evidence
 *   manifest.sig         Ed25519 of the log's key over the bytes of manifest.json
 *   SHA256SUMS           the same sums for `sha256sum -c`
 *   README.{ru,kk,en}.txt
 *   documents/…          the document that was signed, and those that ended it
 *   signatures/01/…      as it came, the same with all its evidence, its chain, answers about revocation, timestamps
 *   lists/….crl          lists of revoked certificates that verdicts rest on
 *   history/entries.jsonl   what happened, a line an event: the very texts that were hashed into the transparency log
 *   history/proofs.txt      beside each line: number, leaf, hash of the leaf, and what stands beside the way to the root
 *   log/key.pem, log/head.json, log/head.sig   the log's public key, and a head of it as it was signed
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
  report: 'report.pdf',
} as const

export type BundleManifest = {
  format: typeof bundleFormat
  version: 1
  madeAt: string
  request: { id: string; name: string }
  documents: BundleDocument[]
  signatures: BundleSignatureFiles[]
  history: {
    /** Of the request, those that are not in the bundle too. */
    events: number
    /** Steps inside an organisation that are not for whoever asked. */
    leftOut: number
  }
  files: Record<string, { sha256: string; size: number }>
}

export type BundleDocument = {
  /** 0: the document that was signed; 1, 2 …: the document of each attempt to terminate. */
  attempt: number
  file: string
  /** As people know it. */
  name: string
}

export type BundleSignatureFiles = {
  id: string
  attempt: number
  /** Who signed and for whom, as the house has it; what the certificate says is found by the check. */
  signer: string
  side: { name: string; bin: string }
  receivedAt: string
  /** As it came; where a timestamp was asked of the signer, both of what came. */
  cms: string
  timestampedCms: string | null
  /** One detached CMS with everything inside; what is too long for that lies in `lists`. */
  durable: string
  chain: string
  ocsp: string[]
  timestamps: string[]
  lists: string[]
}

/** More is not made by us, and would be there to cost somebody memory or time. */
export const bundleLimits = {
  files: 5000,
  /** Of all files together, unpacked. */
  bytes: 2 * 1024 ** 3,
  /** Of a file that has to be held whole: the longest are lists of revoked certificates. */
  wholeFile: 64 * 1024 ** 2,
  /** Of a line of the history. */
  line: 256 * 1024,
  signatures: 512,
}

/** Whether a name stays inside the folder it is unpacked into, on any system. */
export function isSafeName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 400 &&
    !/[\\:\u0000-\u001f\u007f]/.test(name) &&
    name.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
  )
}

/** The archive as it lies before the check: names as they stand, bytes in pieces, as often as they are asked for. */
export type BundleReader = {
  names: readonly string[]
  read: (name: string) => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export function filesAtHand(files: ReadonlyMap<string, Uint8Array>): BundleReader {
  return { names: [...files.keys()], read: (name) => [files.get(name) ?? new Uint8Array()] }
}
