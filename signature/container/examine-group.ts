/** Examines files that belong together: each kind of group in its way. */
import { isSame } from '../asn1/values.ts'
import { checkBundle } from '../bundle/check-bundle.ts'
import { examineRecord, filesOfRecord } from '../evidence-records/examine.ts'
import { examineSignature, type Examination, type SignerExamination } from '../examination/examine.ts'
import type { Setting } from '../examination/policy.ts'
import { isPdf } from '../pdf/document.ts'
import { examinePdf } from '../pdf/examine-pdf.ts'
import { examineXml } from '../xml/examine-xml.ts'
import { looksLikeXml } from '../xml/read.ts'
import type { CollectedFile, CollectedFileOf } from './collect.ts'
import {
  containersAround,
  hashed,
  hashedDocument,
  emptyGroup,
  progressOf,
  type Document,
  type ExaminedGroup,
  type ExaminedSignature,
  type FilesSetting,
  type HashedFile,
} from './group.ts'
import { baseName, bytesOf, ContainerError, piecesOf, startOf, type InputFile } from './input-file.ts'
import { byName, fingerprintOf, type digestsIn } from './match.ts'
import { unpacked } from './read-zip.ts'

export type SignatureFiles = {
  signatures: { file: CollectedFileOf<'signature'>; digests: ReturnType<typeof digestsIn> }[]
  electronic: CollectedFileOf<'electronic'>[]
}

/** A record beside files that it does not cover is reported with them: they were changed, or the wrong ones given. */
export async function recordGroup(
  file: CollectedFileOf<'record'>,
  found: readonly CollectedFile[],
  proved: Map<Blob, Date>,
  work: FilesSetting,
): Promise<ExaminedGroup> {
  const others = found
    .filter(({ kind }) => kind !== 'record' && kind !== 'empty')
    .map((one) => ({ ...one, pieces: () => piecesOf(one.blob) }))
  const beside = others.filter(({ container, kind }) => container === file.container && kind !== 'evidence')
  const its = await filesOfRecord(file.record, others)
  const given = its.length > 0 ? its : beside.slice(0, mostToldOfRecord)
  const record = await examineRecord(file.record, given, work.setting)
  if (record.existedAt) prove(given, found, record.existedAt, proved)
  const documents: HashedFile[] = []
  for (const one of given) documents.push({ ...(await hashed(one, work)), isInside: one.container !== null })
  return {
    ...emptyGroup,
    kind: 'record',
    within: file.container,
    envelope: await hashed(file, work),
    documents,
    record,
  }
}

/** The content of a file is proved to have existed as soon as the file is. */
function prove(
  given: readonly InputFile[],
  found: readonly CollectedFile[],
  existedAt: Date,
  proved: Map<Blob, Date>,
): void {
  const whole = new Set(given.map(({ blob }) => blob))
  const inside = found.filter(({ container }) =>
    containersAround(container).some((one) => whole.has(one.blob)),
  )
  for (const blob of [...whole, ...inside.map((file) => file.blob)]) {
    const before = proved.get(blob)
    if (!before || existedAt < before) proved.set(blob, existedAt)
  }
}

/** A record that covers none of the given files is reported with at most this many of them. */
const mostToldOfRecord = 10

export async function bundleGroup(
  file: CollectedFileOf<'bundle'>,
  work: FilesSetting,
): Promise<ExaminedGroup> {
  const byNames = new Map(file.entries.map((entry) => [entry.name, entry]))
  const envelope = await hashed(file, work)
  const group: ExaminedGroup = { ...emptyGroup, kind: 'bundle', within: file.container, envelope }
  try {
    const reader = { names: [...byNames.keys()], read: (name: string) => byNames.get(name)?.pieces() ?? [] }
    const { trust, at } = work.setting
    const bundle = await checkBundle(reader, {
      trust,
      at,
      logKeys: work.logKeys ?? [],
      witnesses: work.witnesses ?? [],
    })
    const documents: HashedFile[] = []
    for (const { name, file: path, sha256 } of bundle.documents) {
      const entry = byNames.get(path)
      const blob = entry ? await unpacked(entry) : new Blob([])
      documents.push({ name, blob, sha256, isInside: entry !== undefined })
    }
    return { ...group, bundle, documents }
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
    return { ...group, trouble: error.reason }
  }
}

/** A document beside a CMS that contains one must be identical: people read the one and rely on the other. */
export async function electronicGroup(
  file: CollectedFileOf<'electronic'>,
  documents: readonly Document[],
  { signatures, electronic }: SignatureFiles,
  work: FilesSetting,
): Promise<{ group: ExaminedGroup; beside: Document | null }> {
  const blob = new Blob(file.content.map((piece) => new Uint8Array(piece)))
  const name = insideName(file.name)
  const inside = await hashed({ name, blob }, work)
  const near = documents.filter(({ container }) => container === file.container)
  const all = [...electronic, ...signatures.map((one) => one.file)]
  const isOnly = all.filter(({ container }) => container === file.container).length === 1
  const beside =
    documents.find(({ digests }) => fingerprintOf(digests) === inside.sha256) ??
    (isOnly && near.length === 1 ? near[0]! : byName(file.name, near))
  const examination = await examine(file, beside, name, work)
  return {
    group: {
      ...emptyGroup,
      kind: 'electronic',
      within: file.container,
      envelope: await hashed(file, work),
      documents: [{ ...inside, isInside: true }],
      signatures: [signatureOf(file, name, examination)],
    },
    beside,
  }
}

/** The name of a document inside a CMS, derived from the file name because a signature does not contain it. */
function insideName(name: string): string {
  const bare = baseName(name).replace(/\.(cms|p7m|p7s|sig|sign|p7b)$/i, '')
  return bare === '' ? baseName(name) : bare
}

export async function detachedGroup(
  document: Document | null,
  files: readonly CollectedFileOf<'signature'>[],
  work: FilesSetting,
): Promise<ExaminedGroup> {
  const signatures: ExaminedSignature[] = []
  for (const file of files) {
    const examination = await examine(file, document, document?.name ?? file.name, work)
    addOnce(signatures, signatureOf(file, document && baseName(document.name), examination))
  }
  const { container } = files[0]!
  const around = containersAround(container)
  const within = document
    ? containersAround(document.container).find((one) => around.includes(one))
    : container
  return {
    ...emptyGroup,
    kind: 'detached',
    within: within ?? null,
    documents: document ? [hashedDocument(document)] : [],
    signatures,
    trouble: document ? null : 'no-document',
    sheets: [...new Set(files.flatMap((file) => file.container?.sheets ?? []))],
    links: files.flatMap((file) => file.container?.links ?? []),
  }
}

function signatureOf(file: InputFile, document: string | null, examination: Examination): ExaminedSignature {
  return {
    fileName: baseName(file.name),
    path: file.name,
    file: file.blob,
    document,
    examination,
    alsoIn: [],
    inPdf: null,
    inXml: null,
  }
}

/** The same signature in two files, once perhaps with a timestamp, is shown once: the version that proves more. */
function addOnce(signatures: ExaminedSignature[], added: ExaminedSignature): void {
  const index = signatures.findIndex(({ examination }) => isSameAct(examination, added.examination))
  const before = signatures[index]
  if (!before) {
    signatures.push(added)
    return
  }
  const isBetter = provedTimes(added) > provedTimes(before)
  const [shown, other] = isBetter ? [added, before] : [before, added]
  signatures[index] = { ...shown, alsoIn: [...other.alsoIn, ...shown.alsoIn, other.fileName] }
}

function isSameAct({ signers }: Examination, other: Examination): boolean {
  const isThere = ({ act }: SignerExamination, all: readonly SignerExamination[]) =>
    all.some((one) => isSame(one.act, act))
  return (
    signers.length > 0 &&
    signers.length === other.signers.length &&
    signers.every((one) => isThere(one, other.signers))
  )
}

function provedTimes({ examination }: ExaminedSignature): number {
  return examination.signers.filter(({ timestampTime }) => timestampTime !== null).length
}

/** Signatures that another program put into a PDF. Null: there are none. */
export async function pdfGroup(document: Document, work: FilesSetting): Promise<ExaminedGroup | null> {
  if (!isPdf(await startOf(document.blob, 8))) return null
  const examined = await examinePdf(await bytesOf(document.blob), settingOf(document, work))
  if (!examined) return null
  const signatures = examined.signatures.map((inPdf) => ({
    ...signatureOf(document, baseName(document.name), inPdf.examination),
    inPdf,
  }))
  return insideGroup('pdf', document, examined, signatures)
}

/** XML is small; a larger file is something else. */
const largestXml = 64 * 1024 ** 2

export async function xmlGroup(document: Document, work: FilesSetting): Promise<ExaminedGroup | null> {
  if (document.blob.size > largestXml || !looksLikeXml(await startOf(document.blob, 64))) return null
  const examined = await examineXml(await bytesOf(document.blob), settingOf(document, work))
  if (!examined) return null
  const signatures = examined.signatures.map((inXml) => ({
    ...signatureOf(document, baseName(document.name), inXml.examination),
    inXml,
  }))
  return insideGroup('xml', document, examined, signatures)
}

/** Signatures inside a file are proved to have existed as soon as the file is. */
function settingOf({ blob }: Document, { setting, proved }: FilesSetting): Setting {
  const provedAt = proved?.get(blob)
  return provedAt ? { ...setting, provedAt, documentProvedAt: provedAt } : setting
}

/** A fault of the file is reported as a signature that cannot be read. */
function insideGroup(
  kind: 'pdf' | 'xml',
  document: Document,
  { findings }: Pick<Examination, 'findings'>,
  signatures: ExaminedSignature[],
): ExaminedGroup {
  const ofFile = signatureOf(document, baseName(document.name), { findings, signers: [] })
  return {
    ...emptyGroup,
    kind,
    within: document.container,
    documents: [hashedDocument(document)],
    signatures: findings.length > 0 ? [ofFile, ...signatures] : signatures,
  }
}

async function examine(
  { der, blob }: CollectedFileOf<'signature' | 'electronic'>,
  document: InputFile | null,
  name: string,
  work: FilesSetting,
): Promise<Examination> {
  const content = document && piecesOf(document.blob, progressOf({ ...document, name }, work))
  const provedAt = work.proved?.get(blob)
  const documentProvedAt = document && work.proved?.get(document.blob)
  return examineSignature(der, content, {
    ...work.setting,
    ...(provedAt && { provedAt }),
    ...(documentProvedAt && { documentProvedAt }),
  })
}
