/** For tests: unpacks bundles, and makes changed ones signed with a key. */
import { createHash, createPublicKey, sign, type KeyObject } from 'node:crypto'
import { openPromise, type Entry } from 'yauzl'
import { bundleFiles, type BundleManifest } from '@kelisim/signature/bundle/bundle.ts'

export type BundleContents = Map<string, Uint8Array>

export async function unpacked(path: string): Promise<BundleContents> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
  const entries = await new Promise<Entry[]>((resolve, reject) => {
    const found: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      found.push(entry)
      zip.readEntry()
    })
    zip.once('end', () => resolve(found))
    zip.once('error', reject)
    zip.readEntry()
  })
  const files: BundleContents = new Map()
  for (const entry of entries) {
    const pieces: Uint8Array[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Uint8Array)
    files.set(entry.fileName, new Uint8Array(Buffer.concat(pieces)))
  }
  zip.close()
  return files
}

export const textOf = (files: BundleContents, name: string) => Buffer.from(files.get(name)!).toString()

export const manifestOf = (files: BundleContents) =>
  JSON.parse(textOf(files, bundleFiles.manifest)) as BundleManifest

/** The bundle with some files changed (null: removed), and a matching manifest signed with this key. */
export function rewritten(
  files: BundleContents,
  changes: Record<string, string | Uint8Array | null>,
  key: KeyObject,
  about: (manifest: BundleManifest) => Partial<BundleManifest> = () => ({}),
): BundleContents {
  const changed = new Map(files)
  for (const [name, contents] of Object.entries(changes)) {
    if (contents === null) changed.delete(name)
    else changed.set(name, new Uint8Array(Buffer.from(contents)))
  }
  const listed = [...changed].filter(
    ([name]) => name !== bundleFiles.manifest && name !== bundleFiles.manifestSignature,
  )
  const sums = listed.map(([name, bytes]) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return [name, { sha256, size: bytes.length }] as const
  })
  const before = manifestOf(files)
  const manifest = { ...before, ...about(before), files: Object.fromEntries(sums) }
  const bytes = new Uint8Array(Buffer.from(JSON.stringify(manifest)))
  changed.set(bundleFiles.manifest, bytes)
  changed.set(bundleFiles.manifestSignature, new Uint8Array(sign(null, bytes, key)))
  return changed
}

export function spkiOf(key: KeyObject): Uint8Array {
  return new Uint8Array(createPublicKey(key).export({ type: 'spki', format: 'der' }))
}
