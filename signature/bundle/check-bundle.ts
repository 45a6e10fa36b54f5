/**
 * Checks an evidence bundle, in a browser or elsewhere: that it is complete and unchanged since it was signed, that its
 * history is in the transparency log, and that every signature is valid at the time since which it is proved to exist.
 * Like the engine it reports findings and does not judge; no content of a bundle makes it throw.
 */
import { createHash } from '../algorithms/hash.ts'
import { isEd25519Key, verifyEd25519 } from '../algorithms/ed25519.ts'
import { MalformedError } from '../asn1/read.ts'
import { isSame, toHex } from '../asn1/values.ts'
import { examineRecord, type RecordExamination } from '../evidence-records/examine.ts'
import { addEvidence } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { examineSignature, type SignerExamination } from '../examination/examine.ts'
import type { Finding } from '../findings/findings.ts'
import {
  defaultPolicy,
  evidenceAtHand,
  type Policy,
  type Setting,
  type Trust,
} from '../examination/policy.ts'
import { derOf } from '../asn1/pem.ts'
import type { EnvelopedExamination } from '../xml/enveloped.ts'
import {
  bundleFiles,
  bundleLimits,
  isSafeName,
  type BundleDocument,
  type BundleManifest,
  type BundleReader,
  type BundleSignatureFiles,
} from './bundle.ts'
import {
  checkHistory,
  readHead,
  type CheckedHistory,
  type LoggedSending,
  type NamedPower,
} from './check-history.ts'
import { checkCheckpoint } from './check-checkpoint.ts'
import { readManifest } from './read-manifest.ts'
import { readWhole, TooMuchError } from './reading.ts'
import { coveredPieces, faultsOfInside } from './inside.ts'
import { examineInXml } from './in-xml.ts'
import type { BundleFault } from './bundle-fault.ts'
import { clockAllowance } from '../time/durations.ts'
import type { VerifierKey } from '../transparency/note.ts'

export type BundleSetting = {
  trust: Trust
  /** The time of the check. */
  at: Date
  /**
   * The public keys of logs (SPKI as DER) from a trusted source. Without one a bundle is checked only against the key it
   * contains: a forger would include a key of their own, so the log then proves neither a time nor the history.
   */
  logKeys?: readonly Uint8Array[]
  /** The keys of witnesses, from a trusted source too: those in the bundle could be anybody's. */
  witnesses?: readonly VerifierKey[]
}
export type BundleSignature = {
  id: string
  attempt: number
  /** It is over a document that was replaced later, so it counts for nothing; null: over the newest one. */
  earlierRevision: number | null
  signer: string
  side: { name: string; bin: string }
  receivedAt: Date
  /**
   * Which of these the known log confirms. Entries of earlier versions of the product do not tell the sides: their names
   * and numbers are then what whoever made the bundle states.
   */
  isBound: { signer: boolean; receivedAt: boolean; side: boolean }
  /** The power of attorney under which it was accepted, as the log has it. */
  power: NamedPower | null
  /** The file of the signature with its evidence, and of its document. */
  file: string
  document: string
  /** Since when it is proved to exist: by a timestamp, or by the log whose key is known. */
  existedAt: Date | null
  existedBy: 'timestamp' | 'log' | null
  /** What its evidence record proves; null: it has none. */
  record: RecordExamination | null
  examination: SignerExamination | null
  findings: Finding[]
}

export type BundleCheck = {
  faults: BundleFault[]
  /** Null where the bundle could not be read so far. */
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
    /** Whether it is the known key; null: none was given to compare with. */
    isKnown: boolean | null
    size: number
    /** The root of the tree, by which others can be told whether it is the same log. */
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

/** Every file in the manifest is present and unchanged, and there are no others. */
async function checkFiles(
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

/** What a signature is over. */
function documentOf(
  { documents, earlier = [] }: BundleManifest,
  { attempt, revision }: BundleSignatureFiles,
): { file: string } | undefined {
  if (revision === undefined || revision === earlier.length + 1) {
    return documents.find((one) => one.attempt === attempt)
  }
  const file = attempt === 0 ? earlier[revision - 1]?.file : undefined
  return typeof file === 'string' ? { file } : undefined
}

async function checkSignatures(
  files: BundleReader,
  manifest: BundleManifest,
  { accepted, received, sending }: Pick<CheckedHistory, 'accepted' | 'received' | 'sending'>,
  setting: BundleSetting & { isLogKnown: boolean },
  check: BundleCheck,
): Promise<void> {
  const fault = (name: BundleFault['fault'], of: string) => check.faults.push({ fault: name, of })
  const earlier = manifest.earlier ?? []
  const newest = earlier.length + 1
  for (const one of earlier) {
    if (one.file !== null && manifest.files[one.file]?.sha256 !== one.sha256) fault('file-changed', one.file)
  }
  for (const { id, revision } of accepted) {
    // Whoever never had a document gets no signatures over it.
    if (earlier[revision - 1]?.file === null) continue
    if (manifest.signatures.filter((one) => one.id === id).length !== 1) fault('file-missing', id)
  }
  for (const signature of manifest.signatures) {
    const { id, attempt, signer, side, cms, timestampedCms, durable, revision = newest } = signature
    const document = documentOf(manifest, signature)
    const hashOf = (name: string | null) => (name === null ? null : (manifest.files[name]?.sha256 ?? ''))
    const logged = accepted.find((one) => one.id === id)
    const isLogged =
      logged?.attempt === attempt &&
      logged.revision === revision &&
      logged.cms === hashOf(cms) &&
      logged.timestampedCms === hashOf(timestampedCms)
    if (!isLogged) fault('signature-not-in-log', id)
    const receivedAt = new Date(signature.receivedAt)
    const receipt = received.get(id)
    const isOtherSigner = isLogged && logged.owner !== null && logged.owner !== signer
    const isOtherTime = receipt !== undefined && Number(receipt) !== Number(receivedAt)
    const sent = isLogged && sending?.sides.find(({ pointId }) => pointId === logged.pointId)
    // A side whose name was not known is called by its certificate.
    const isOtherName = !!sent && sent.name !== '' && sent.name !== side.name
    const isOtherSide = isOtherName || (!!sent && sent.bin !== side.bin)
    if (isOtherSigner || isOtherTime || isOtherSide) fault('manifest-other', id)
    if (!document) fault('file-missing', id)
    const found: BundleSignature = {
      id,
      attempt,
      earlierRevision: revision === newest ? null : revision,
      signer,
      side,
      receivedAt,
      isBound: {
        signer: setting.isLogKnown && isLogged && logged.owner === signer,
        receivedAt: setting.isLogKnown && receipt !== undefined && !isOtherTime,
        side: setting.isLogKnown && !!sent && sent.name === side.name && !isOtherSide,
      },
      power: setting.isLogKnown && isLogged ? logged.power : null,
      file: durable,
      document: document?.file ?? '',
      existedAt: null,
      existedBy: null,
      record: null,
      examination: null,
      findings: document ? [] : ['document-missing'],
    }
    check.signatures.push(found)
    if (!document) continue
    const existed = isLogged && setting.isLogKnown ? logged.at : null
    if (signature.inside)
      found.findings.push(...(await faultsOfInside(files, signature.inside, document.file)))
    const proof = await examineItsRecord(files, signature, document.file, setting)
    if (proof?.findings.some((finding) => contradictions.has(finding))) fault('record-wrong', id)
    found.record = proof
    const isOther = await examine(files, signature, document.file, { ...setting, existed }, found)
    if (isOther) fault('durable-other', id)
  }
}

/** What proves that a record is not of these files, or was tampered with; others only say that it proves nothing now. */
const contradictions: ReadonlySet<Finding> = new Set([
  'record-damaged',
  'record-of-other',
  'record-broken',
  'record-forged',
  'record-disordered',
])

async function examineItsRecord(
  files: BundleReader,
  { durable, record, inside }: BundleSignatureFiles,
  document: string,
  { trust, at }: BundleSetting,
): Promise<RecordExamination | null> {
  if (!record) return null
  const evidence = evidenceAtHand({ crls: [], ocsp: [] })
  const over = [
    { name: document, pieces: () => coveredPieces(files, document, inside) },
    { name: durable, pieces: () => files.read(durable) },
  ]
  return examineRecord(await readWhole(files, record), over, { trust, evidence, policy, at, clockAllowance })
}

/** As strict as at acceptance, except for revocation of the centres, which only services of that day could tell. */
const policy: Policy = { ...defaultPolicy, signingCertificate: 'required', keyUsage: 'nonRepudiation' }

/** Fills in the findings; returns whether the signature with evidence differs from the received one. */
async function examine(
  files: BundleReader,
  signature: BundleSignatureFiles,
  document: string,
  setting: BundleSetting & { existed: Date | null },
  found: BundleSignature,
): Promise<boolean> {
  const { existed } = setting
  const judged =
    signature.signedXml === undefined
      ? await examineBeside(files, signature, document, setting, found)
      : await examineInXml(files, signature, document, (isStamped) => settingOf(isStamped, setting, found))
  if (judged === null) return true
  const { findings, signers } = judged
  const [signer] = signers
  found.findings.push(...findings, ...(signer?.findings ?? []))
  found.examination = signer ?? null
  found.existedAt = signer?.timestampTime ?? existed
  found.existedBy = signer?.timestampTime ? 'timestamp' : existed ? 'log' : null
  return false
}

type Judged = Pick<EnvelopedExamination, 'findings' | 'signers'>

/** Null: the signature with evidence is not the received one. */
async function examineBeside(
  files: BundleReader,
  { cms, timestampedCms, durable, lists, inside }: BundleSignatureFiles,
  document: string,
  setting: BundleSetting & { existed: Date | null },
  found: BundleSignature,
): Promise<Judged | null> {
  let whole: Uint8Array
  try {
    const came = readSignedData(await readWhole(files, timestampedCms ?? cms))
    whole = await readWhole(files, durable)
    const { signers, content } = readSignedData(whole)
    const [one, other] = [came.signers[0], signers[0]]
    if (content || signers.length !== 1 || !one || !other || !isSame(one.signature, other.signature))
      return null
    const crls: Uint8Array[] = []
    for (const list of lists) crls.push(await readWhole(files, list))
    // what is inside already is not added again
    whole = addEvidence(whole, 0, { crls })
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    return { findings: ['damaged'], signers: [] }
  }
  const evidence = evidenceAtHand({ crls: [], ocsp: [] })
  const shared = settingOf(hasTimestamp(whole), setting, found)
  return examineSignature(whole, coveredPieces(files, document, inside), { ...shared, evidence })
}

function settingOf(
  isStamped: boolean,
  { trust, at, existed }: BundleSetting & { existed: Date | null },
  found: BundleSignature,
): Omit<Setting, 'evidence'> {
  const checkedAt = isStamped ? at : (existed ?? at)
  const recordedAt = found.record?.existedAt
  // A record from after what the log proves would only cast doubt on evidence that is as old as the signature.
  const isRecordNeeded = recordedAt && (isStamped || !existed || recordedAt < existed)
  return {
    trust,
    policy,
    clockAllowance,
    at: checkedAt,
    ...(isRecordNeeded && { provedAt: recordedAt, documentProvedAt: recordedAt }),
    // it was accepted by evidence from after its receipt
    receivedAt: existed && found.isBound.receivedAt ? found.receivedAt : checkedAt,
  }
}

function hasTimestamp(cms: Uint8Array): boolean {
  const { unsignedAttributes } = readSignedData(cms).signers[0]!
  return unsignedAttributes.some(({ oid }) => oid === cmsOids.signatureTimestamp)
}
