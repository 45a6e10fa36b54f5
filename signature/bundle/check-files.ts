import { createHash } from '../algorithms/hash.ts'
import { toHex } from '../asn1/values.ts'
import {
  bundleFiles,
  bundleLimits,
  type BundleManifest,
  type BundleReader,
  type BundleSignatureFiles,
} from './bundle.ts'
import type { BundleFault } from './bundle-fault.ts'
import { TooMuchError } from './reading.ts'

/** Every file in the manifest is present and unchanged, and there are no others. */
export async function checkFiles(
  files: BundleReader,
  there: ReadonlySet<string>,
  manifest: BundleManifest,
): Promise<BundleFault[]> {
  const faults: BundleFault[] = []
  const unlisted: readonly string[] = [bundleFiles.manifest, bundleFiles.manifestSignature]
  const needed = new Set([
    ...Object.keys(manifest.files),
    bundleFiles.logKey,
    bundleFiles.head,
    bundleFiles.headSignature,
    bundleFiles.entries,
    bundleFiles.proofs,
    bundleFiles.manifestSignature,
    ...manifest.documents.map(({ file }) => file),
    ...(manifest.earlier ?? []).flatMap(({ file }) => file ?? []),
    ...manifest.signatures.flatMap(filesOf),
  ])
  for (const name of needed) {
    const isListed = Object.hasOwn(manifest.files, name) || unlisted.includes(name)
    if (!there.has(name) || !isListed) faults.push({ fault: 'file-missing', of: name })
  }
  let total = 0
  for (const name of there) {
    if (unlisted.includes(name)) continue
    if (!Object.hasOwn(manifest.files, name)) {
      faults.push({ fault: 'file-extra', of: name })
      continue
    }
    const { sha256, size } = manifest.files[name]!
    const hash = createHash('sha-256')
    let length = 0
    for await (const piece of files.read(name)) {
      length += piece.length
      total += piece.length
      if (total > bundleLimits.bytes) throw new TooMuchError(name)
      // longer than stated, so not what was signed: the rest need not be read
      if (length > size) break
      hash.update(piece)
    }
    if (length !== size || toHex(hash.digest()) !== sha256) faults.push({ fault: 'file-changed', of: name })
  }
  return faults
}

function filesOf(signature: BundleSignatureFiles): string[] {
  const { cms, timestampedCms, durable, chain, ocsp, timestamps, lists, record, inside, signedXml } =
    signature
  return [
    cms,
    ...(inside ? [inside.file] : []),
    ...(signedXml === undefined ? [] : [signedXml]),
    ...(timestampedCms === null ? [] : [timestampedCms]),
    durable,
    chain,
    ...ocsp,
    ...timestamps,
    ...lists,
    ...(record ? [record] : []),
  ]
}
