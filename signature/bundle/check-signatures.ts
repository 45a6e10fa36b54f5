/** The signatures of a bundle: that they are those of the log, and what each proves about its document. */
import { MalformedError } from '../asn1/read.ts'
import { isSame } from '../asn1/values.ts'
import { addEvidence } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import { examineRecord, type RecordExamination } from '../evidence-records/examine.ts'
import { examineSignature } from '../examination/examine.ts'
import { defaultPolicy, evidenceAtHand, type Policy, type Setting } from '../examination/policy.ts'
import type { Finding } from '../findings/findings.ts'
import { clockAllowance } from '../time/durations.ts'
import type { EnvelopedExamination } from '../xml/enveloped.ts'
import type { BundleManifest, BundleReader, BundleSignatureFiles } from './bundle.ts'
import type { BundleCheck, BundleSetting, BundleSignature } from './bundle-check.ts'
import type { BundleFault } from './bundle-fault.ts'
import type { CheckedHistory } from './check-history.ts'
import { examineInXml } from './in-xml.ts'
import { coveredPieces, faultsOfInside } from './inside.ts'
import { readWhole } from './reading.ts'

/** The document that a signature covers. */
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

export async function checkSignatures(
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
    // The recipient of the bundle gets no signatures over a document that they never had.
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
    // A side whose name was unknown when sending is named by its certificate.
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

/** These findings prove that a record is of other files or was changed; others only mean that it proves nothing now. */
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

/**
 * As strict as at acceptance, except that revocation of the centres is not checked: only the services of that day
 * could tell it.
 */
const policy: Policy = { ...defaultPolicy, signingCertificate: 'required', keyUsage: 'nonRepudiation' }

/** Fills in the findings; returns whether the signature with evidence is not the received one. */
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
    // CRLs that are already in the signature are not added again
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
  // A record that is later than the time proved by the log would only cast doubt on evidence as old as the signature.
  const isRecordNeeded = recordedAt && (isStamped || !existed || recordedAt < existed)
  return {
    trust,
    policy,
    clockAllowance,
    at: checkedAt,
    ...(isRecordNeeded && { provedAt: recordedAt, documentProvedAt: recordedAt }),
    // the signature was accepted by evidence from after its receipt
    receivedAt: existed && found.isBound.receivedAt ? found.receivedAt : checkedAt,
  }
}

function hasTimestamp(cms: Uint8Array): boolean {
  const { unsignedAttributes } = readSignedData(cms).signers[0]!
  return unsignedAttributes.some(({ oid }) => oid === cmsOids.signatureTimestamp)
}
