/**
 * Takes whatever files somebody has, in any order, finds out what belongs together and examines it. Knows of no page, no
 * command and no network, and decides nothing: what the findings mean is decided by whoever asks.
 *
 *   archive, e-mail ─▶ an evidence bundle, or files of their own
 *   CMS             ─▶ with a document inside: an electronic document · without: a signature of one of the documents
 *   PDF             ─▶ a document card (its original and its signatures are embedded), signatures inside the PDF, or a document
 *   XML             ─▶ signatures inside of it, or a document
 *   record          ─▶ proves since when the files that it is of exist, signatures among them
 *   the rest        ─▶ documents
 */
import { isSame } from '../asn1/values.ts'
import { checkBundle, type BundleCheck } from '../bundle/check-bundle.ts'
import { examineRecord, filesOfRecord, type RecordExamination } from '../evidence-records/examine.ts'
import { examineSignature, type Examination, type SignerExamination } from '../examination/examine.ts'
import type { Setting } from '../examination/policy.ts'
import { isPdf } from '../pdf/document.ts'
import { examinePdf, type PdfSignature } from '../pdf/examine-pdf.ts'
import { examineXml, type XmlSignatureExamination } from '../xml/examine-xml.ts'
import { looksLikeXml } from '../xml/read.ts'
import { collect, type AttachmentReader, type Container, type Found, type FoundOf } from './collect.ts'
import { withPaper, type CodeReader } from './collect-paper.ts'
import { baseName, bytesOf, ContainerError, piecesOf, startOf, type InputFile } from './input-file.ts'
import type { VerifierKey } from '../transparency/note.ts'
import {
  byName,
  digestsIn,
  digestsOfFile,
  documentOf,
  fingerprintOf,
  isUnder,
  type Digests,
} from './match.ts'
import { unpacked } from './read-zip.ts'

export type FilesSetting = {
  setting: Setting
  /** The keys of known logs, for evidence bundles. */
  logKeys?: readonly Uint8Array[]
  witnesses?: readonly VerifierKey[]
  attachmentsOf?: AttachmentReader
  /** Reads the codes of printed signatures; without it pictures and pages are only documents. */
  codesIn?: CodeReader
  onProgress?: (progress: Progress) => void
  /** Since when files are proved to exist, by evidence records that came with them. */
  proved?: ReadonlyMap<Blob, Date>
}

export type Progress = { file: string; done: number; total: number }

/** Files that belong together: a document and its signatures, or one file with both. */
export type ExaminedGroup = {
  kind: 'detached' | 'electronic' | 'pdf' | 'xml' | 'bundle' | 'record' | 'alone'
  /** What both the documents and the signatures came in. */
  within: Container | null
  /** The file that has the document and the signatures in it. */
  envelope: HashedFile | null
  documents: HashedFile[]
  signatures: ExaminedSignature[]
  /** Of a card, and of a signed e-mail: everything that came with it. */
  attachments: { name: string; role: 'document' | 'signature' | 'other' }[]
  bundle: BundleCheck | null
  /** Of an evidence record, which is the envelope. */
  record: RecordExamination | null
  trouble: 'empty' | 'no-document' | 'document' | 'codes-missing' | ContainerError['reason'] | null
  /** Scans and photographs from which its signatures were read: nothing that they show was compared. */
  sheets: readonly string[]
  /** Addresses on paper that lead to whoever issued the document. */
  links: readonly string[]
}

export type HashedFile = {
  name: string
  blob: Blob
  /** In hexadecimal digits. */
  sha256: string
  /** It came in another file, and can be saved from there. */
  isInside: boolean
}

export type ExaminedSignature = {
  fileName: string
  /** With its folders. */
  path: string
  /** The file that holds it. */
  file: Blob
  /** The name of the document that it was compared with. */
  document: string | null
  examination: Examination
  /** Other files with the same signature. */
  alsoIn: string[]
  inPdf: PdfSignature | null
  inXml: XmlSignatureExamination | null
}

type Document = FoundOf<'pdf' | 'document'> & { digests: Digests }

const nothing = {
  within: null,
  envelope: null,
  documents: [],
  signatures: [],
  attachments: [],
  bundle: null,
  record: null,
  trouble: null,
  sheets: [],
  links: [],
} satisfies Partial<ExaminedGroup>

export async function examineFiles(
  given: readonly InputFile[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const collected = await collect(given, work.attachmentsOf ?? null)
  const found = work.codesIn ? await withPaper(collected, work.codesIn) : collected
  const of = <K extends Found['kind']>(...kinds: K[]) =>
    found.filter((file): file is FoundOf<K> => kinds.some((kind) => kind === file.kind))
  const groups: ExaminedGroup[] = []
  for (const file of of('empty', 'unreadable')) {
    const trouble = file.kind === 'empty' ? 'empty' : file.reason
    groups.push({
      ...nothing,
      kind: 'alone',
      within: file.container,
      documents: [await hashed(file, work)],
      trouble,
    })
  }
  for (const file of of('bundle')) groups.push(await bundleGroup(file, work))
  const proved = new Map<Blob, Date>()
  for (const file of of('record')) groups.push(await recordGroup(file, found, proved, work))
  const signatures = of('signature').map((file) => ({ file, digests: digestsIn(file.der) }))
  const hashes = signatures.flatMap(({ digests }) => digests.map((one) => one.hash))
  const documents: Document[] = []
  for (const file of of('pdf', 'document', 'record')) {
    const digests = await digestsOfFile(file, hashes, progressOf(file, work))
    // Somebody may have signed a record, which makes it a document.
    const isDocument = file.kind !== 'record' || signatures.some((one) => isUnder(one.digests, digests))
    if (isDocument) documents.push({ ...file, kind: file.kind === 'pdf' ? 'pdf' : 'document', digests })
  }
  const withProofs = { ...work, proved }
  groups.push(...(await documentGroups(documents, { signatures, electronic: of('electronic') }, withProofs)))
  return inContainers(groups, found, work)
}

/** Beside files that it is not of, it is told as of them: somebody changed them, or took the wrong ones. */
async function recordGroup(
  file: FoundOf<'record'>,
  found: readonly Found[],
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
  if (record.existedAt) for (const { blob } of given) proved.set(blob, record.existedAt)
  const documents: HashedFile[] = []
  for (const one of given) documents.push({ ...(await hashed(one, work)), isInside: one.container !== null })
  return {
    ...nothing,
    kind: 'record',
    within: file.container,
    envelope: await hashed(file, work),
    documents,
    record,
  }
}

/** A record of none of many files is told of a few. */
const mostToldOfRecord = 10

async function bundleGroup(file: FoundOf<'bundle'>, work: FilesSetting): Promise<ExaminedGroup> {
  const byNames = new Map(file.entries.map((entry) => [entry.name, entry]))
  const envelope = await hashed(file, work)
  const group: ExaminedGroup = { ...nothing, kind: 'bundle', within: file.container, envelope }
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

type SignatureFiles = {
  signatures: { file: FoundOf<'signature'>; digests: ReturnType<typeof digestsIn> }[]
  electronic: FoundOf<'electronic'>[]
}

async function documentGroups(
  documents: readonly Document[],
  { signatures, electronic }: SignatureFiles,
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const groups: ExaminedGroup[] = []
  const told = new Set<Document>()
  /** Fingerprints: the same document in two places is signed in both. */
  const covered = new Set<string>()
  for (const document of documents) {
    const inside = (await pdfGroup(document, work)) ?? (await xmlGroup(document, work))
    if (!inside) continue
    groups.push(inside)
    covered.add(fingerprintOf(document.digests))
  }
  for (const file of electronic) {
    const { group, beside } = await electronicGroup(file, documents, { signatures, electronic }, work)
    groups.push(group)
    if (beside) told.add(beside)
    covered.add(group.documents[0]!.sha256)
  }
  const under = new Map<Document | null, FoundOf<'signature'>[]>()
  for (const { file, digests } of signatures) {
    const document = documentFor(file, digests, documents)
    under.set(document, [...(under.get(document) ?? []), file])
    if (document) told.add(document)
    if (document && isUnder(digests, document.digests)) covered.add(fingerprintOf(document.digests))
  }
  const isTold = (document: Document): boolean =>
    told.has(document) ||
    covered.has(fingerprintOf(document.digests)) ||
    documents.some((one) => one.blob === document.partOf?.blob && isTold(one))
  for (const document of documents) {
    // A signature beside a card and one in it are told apart: only the card has pages that nobody signed.
    for (const its of byContainer(under.get(document) ?? [], document))
      groups.push(await detachedGroup(document, its, work))
    if (isTold(document)) continue
    groups.push({
      ...nothing,
      kind: 'alone',
      within: document.container,
      documents: [hashedDocument(document)],
      trouble: 'document',
      links: document.links ?? [],
    })
  }
  for (const its of byContainer(under.get(null) ?? [], null))
    groups.push(await detachedGroup(null, its, work))
  return groups
}

/** Those that came with the document first. */
function byContainer(
  files: readonly FoundOf<'signature'>[],
  document: Document | null,
): FoundOf<'signature'>[][] {
  const isWith = ({ container }: FoundOf<'signature'>) => (container === document?.container ? 0 : 1)
  const sorted = files.toSorted((one, other) => isWith(one) - isWith(other))
  return [...Map.groupBy(sorted, ({ container }) => container).values()]
}

/** In a card the original comes first, so that a signature of something else is told as one of a changed original. */
function documentFor(
  file: FoundOf<'signature'>,
  digests: ReturnType<typeof digestsIn>,
  documents: readonly Document[],
): Document | null {
  const { signs } = file
  if (signs) return documents.find(({ blob }) => blob === signs.blob) ?? null
  const isBeside = ({ container }: Document) => container === file.container
  const beside = documents.filter((one) => isBeside(one) && !isCardItself(one, documents))
  const elsewhere = documents.filter((one) => !beside.includes(one))
  const found = documentOf({ name: file.name, digests }, { beside, elsewhere })
  if (found) return found
  if (file.container?.kind === 'card') return beside[0] ?? null
  const originals = documents.filter(
    ({ container }) => container?.kind === 'card' && container.within === file.container,
  )
  const [only, ...more] = originals.length > 0 ? originals : elsewhere
  return beside.length === 0 && only && more.length === 0 ? only : null
}

function isCardItself({ blob }: Document, documents: readonly Document[]): boolean {
  return documents.some(({ container }) => container?.kind === 'card' && container.blob === blob)
}

/** A document beside a CMS that contains one has to be the same: people read the one and trust the other. */
async function electronicGroup(
  file: FoundOf<'electronic'>,
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
      ...nothing,
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

async function detachedGroup(
  document: Document | null,
  files: readonly FoundOf<'signature'>[],
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
    ...nothing,
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

/** One signature in two files, or once more with its timestamp, is one signature: the one that proves more is shown. */
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
async function pdfGroup(document: Document, { setting }: FilesSetting): Promise<ExaminedGroup | null> {
  if (!isPdf(await startOf(document.blob, 8))) return null
  const examined = await examinePdf(await bytesOf(document.blob), setting)
  if (!examined) return null
  const signatures = examined.signatures.map((inPdf) => ({
    ...signatureOf(document, baseName(document.name), inPdf.examination),
    inPdf,
  }))
  return insideGroup('pdf', document, examined, signatures)
}

/** XML is small; a larger file is something else. */
const largestXml = 64 * 1024 ** 2

async function xmlGroup(document: Document, { setting }: FilesSetting): Promise<ExaminedGroup | null> {
  if (document.blob.size > largestXml || !looksLikeXml(await startOf(document.blob, 64))) return null
  const examined = await examineXml(await bytesOf(document.blob), setting)
  if (!examined) return null
  const signatures = examined.signatures.map((inXml) => ({
    ...signatureOf(document, baseName(document.name), inXml.examination),
    inXml,
  }))
  return insideGroup('xml', document, examined, signatures)
}

/** What is wrong with the file is told as of a signature that cannot be read. */
function insideGroup(
  kind: 'pdf' | 'xml',
  document: Document,
  { findings }: Pick<Examination, 'findings'>,
  signatures: ExaminedSignature[],
): ExaminedGroup {
  const ofFile = signatureOf(document, baseName(document.name), { findings, signers: [] })
  return {
    ...nothing,
    kind,
    within: document.container,
    documents: [hashedDocument(document)],
    signatures: findings.length > 0 ? [ofFile, ...signatures] : signatures,
  }
}

async function examine(
  { der, blob }: FoundOf<'signature' | 'electronic'>,
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

function hashedDocument({ name, blob, digests, container }: Document): HashedFile {
  return { name: baseName(name), blob, sha256: fingerprintOf(digests), isInside: container !== null }
}

async function hashed(file: InputFile, work: FilesSetting): Promise<HashedFile> {
  const digests = await digestsOfFile(file, [], progressOf(file, work))
  return { name: baseName(file.name), blob: file.blob, sha256: fingerprintOf(digests), isInside: false }
}

function progressOf({ name, blob }: InputFile, { onProgress }: FilesSetting) {
  let done = 0
  return (bytes: number) => {
    done += bytes
    onProgress?.({ file: baseName(name), done, total: blob.size })
  }
}

/** With the containers told: which file was opened, and what else was in it. */
async function inContainers(
  groups: readonly ExaminedGroup[],
  found: readonly Found[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const envelopes = new Map<Container, HashedFile>()
  const isSigned = ({ kind }: ExaminedGroup) => kind !== 'alone' && kind !== 'record'
  const cards = new Set(
    groups.filter(isSigned).flatMap(({ within }) => (within?.kind === 'card' ? [within] : [])),
  )
  const listed = new Set<Container>()
  const told: ExaminedGroup[] = []
  for (const group of await withoutPlainContainers(groups, work)) {
    const { within } = group
    const isOfCard = within !== null && cards.has(within)
    // Its pages and what else it has are told with its signatures.
    const isCardItself = [...cards].some(({ blob }) => blob === group.documents[0]?.blob)
    if (!isSigned(group) && (isOfCard || isCardItself)) continue
    if (!within) {
      told.push({ ...group, attachments: partsOf(group, found) })
      continue
    }
    const envelope = group.envelope ?? envelopes.get(within) ?? (await hashed(within, work))
    envelopes.set(within, envelope)
    const attachments =
      isOfCard && !listed.has(within) ? attachmentsIn(within, found, groups) : partsOf(group, found)
    listed.add(within)
    told.push({ ...group, envelope, attachments })
  }
  return told
}

function attachmentsIn(
  card: Container,
  found: readonly Found[],
  groups: readonly ExaminedGroup[],
): ExaminedGroup['attachments'] {
  const signed = groups.flatMap(({ kind, documents }) =>
    kind === 'alone' || kind === 'record' ? [] : documents.map(({ blob }) => blob),
  )
  return found
    .filter(({ container }) => container === card)
    .map(({ name, kind, blob }) => ({
      name: baseName(name),
      role:
        kind === 'signature' || kind === 'electronic'
          ? 'signature'
          : signed.includes(blob)
            ? 'document'
            : 'other',
    }))
}

/** What a signed e-mail contains is signed with it. */
function partsOf(
  { documents, signatures }: ExaminedGroup,
  found: readonly Found[],
): ExaminedGroup['attachments'] {
  if (signatures.length === 0) return []
  return found
    .filter(({ partOf }) => documents.some(({ blob }) => blob === partOf?.blob))
    .map(({ name }) => ({ name: baseName(name), role: 'document' }))
}

/** An archive or an e-mail in which nothing is signed is a document without a signature. */
async function withoutPlainContainers(
  groups: readonly ExaminedGroup[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const outermost = ({ within }: ExaminedGroup) => containersAround(within).at(-1) ?? null
  const isPlain = (container: Container) =>
    groups.every((group) => outermost(group) !== container || group.trouble === 'document')
  const kept: ExaminedGroup[] = []
  const replaced = new Set<Container>()
  for (const group of groups) {
    const container = outermost(group)
    if (!container || container.kind === 'card' || !isPlain(container)) kept.push(group)
    else if (!replaced.has(container)) {
      replaced.add(container)
      kept.push({ ...group, within: null, documents: [await hashed(container, work)] })
    }
  }
  return kept
}

/** The innermost first. */
function containersAround(container: Container | null): Container[] {
  return container === null ? [] : [container, ...containersAround(container.within)]
}
