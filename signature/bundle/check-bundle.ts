/**
 * Checks an evidence bundle, in a browser or elsewhere: that it is complete and unchanged since it was signed, that its
 * history is in the transparency log, and that every signature is valid at the time since which it is proved to exist.
 * Like the engine it reports findings and does not judge; no content of a bundle makes it throw.
 */
import { createHash } from '../algorithms/hash.ts'
import { isEd25519Key, verifyEd25519 } from '../algorithms/ed25519.ts'
import { derOf } from '../asn1/pem.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame, toHex } from '../asn1/values.ts'
import { bundleFiles, bundleLimits, isSafeName, type BundleReader } from './bundle.ts'
import { emptyCheck, type BundleCheck, type BundleSetting, type CheckBundle } from './bundle-check.ts'
import type { BundleFault } from './bundle-fault.ts'
import { checkCheckpoint } from './check-checkpoint.ts'
import { checkFiles } from './check-files.ts'
import { checkHistory, readHead } from './check-history.ts'
import { checkSignatures } from './check-signatures.ts'
import { readManifest } from './read-manifest.ts'
import { readWhole, TooMuchError } from './reading.ts'

export const checkBundle: CheckBundle = async (files, setting) => {
  const check: BundleCheck = { ...emptyCheck, faults: [], documents: [], signatures: [] }
  try {
    await checkAll(files, setting, check)
  } catch (error) {
    if (!(error instanceof TooMuchError)) throw error
    check.faults.push({ fault: 'too-much', of: error.message })
  }
  return check
}

async function checkAll(files: BundleReader, setting: BundleSetting, check: BundleCheck): Promise<void> {
  const fault = (name: BundleFault['fault'], of: string) => check.faults.push({ fault: name, of })
  if (files.names.length > bundleLimits.files) throw new TooMuchError('')
  for (const name of files.names) if (!isSafeName(name)) fault('unsafe-name', name)
  const there = new Set(files.names)
  if (there.size < files.names.length) fault('file-extra', '')
  const bytes = there.has(bundleFiles.manifest) ? await readWhole(files, bundleFiles.manifest) : null
  const manifest = bytes && readManifest(bytes)
  if (!bytes || !manifest || manifest.signatures.length === 0) {
    fault('not-a-bundle', bundleFiles.manifest)
    return
  }
  const { id, name } = manifest.request
  check.request = { id, name, isNameBound: false, sender: null }
  check.madeAt = new Date(manifest.madeAt)
  check.faults.push(...(await checkFiles(files, there, manifest)))

  const key = await readKey(files, there)
  const isSigned = async (name: string, signed: Uint8Array) =>
    key !== null && there.has(name) && verifyEd25519(key, signed, await readWhole(files, name, 64))
  if (!(await isSigned(bundleFiles.manifestSignature, bytes)))
    fault('manifest-not-signed', bundleFiles.manifest)
  const fingerprint = key && toHex(createHash('sha-256').update(key).digest())
  const known = setting.logKeys ?? []
  const isKnown = known.length > 0 ? key !== null && known.some((one) => isSame(one, key)) : null
  if (isKnown === false) fault('log-key-other', bundleFiles.logKey)

  const headBytes = there.has(bundleFiles.head) ? await readWhole(files, bundleFiles.head, 4096) : null
  const head = headBytes && readHead(headBytes)
  const isHeadSigned =
    head !== null && head.log === fingerprint && (await isSigned(bundleFiles.headSignature, headBytes!))
  if (!isHeadSigned) fault('head-not-signed', bundleFiles.head)
  else {
    const { witnesses = [], at } = setting
    const { faults, witnessedBy } = await checkCheckpoint(files, { head, key: key!, witnesses, at })
    check.faults.push(...faults)
    check.log = { fingerprint: head.log, isKnown, size: head.size, root: head.root, at: head.at, witnessedBy }
  }

  const history = await checkHistory(files, manifest, isHeadSigned ? head : null)
  check.faults.push(...history.faults)
  const { leftOut } = manifest.history
  const { sending } = history
  if (sending && sending.name !== name) fault('manifest-other', id)
  if (sending && isKnown === true) {
    check.request = { id, name, isNameBound: sending.name === name, sender: sending.sender }
  }
  check.history = {
    events: history.events,
    shortened: history.shortened,
    leftOut,
    isProved: isKnown === true && isHeadSigned && history.faults.length === 0,
  }
  check.documents = manifest.documents.flatMap((document) => {
    const file = manifest.files[document.file]
    return file ? [{ ...document, ...file }] : []
  })
  await checkSignatures(files, manifest, history, { ...setting, isLogKnown: isKnown === true }, check)
}

async function readKey(files: BundleReader, there: ReadonlySet<string>): Promise<Uint8Array | null> {
  if (!there.has(bundleFiles.logKey)) return null
  try {
    const key = derOf(await readWhole(files, bundleFiles.logKey, 4096))
    return isEd25519Key(key) ? key : null
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}
