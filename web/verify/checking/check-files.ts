/**
 * Takes whatever files somebody dropped, in any order, finds out what belongs together and checks it. Knows of no page and
 * no network: whom to trust, how to ask about revocation and how to look into a PDF come from outside.
 *
 *   archive    ─▶ an evidence bundle, or files of their own
 *   CMS        ─▶ with a document inside: an electronic document · without: a signature of one of the documents
 *   PDF        ─▶ a document card (its original and its signatures are embedded), signatures inside the PDF, or a document
 *   XML        ─▶ signatures inside of it, or a document
 *   the rest   ─▶ documents
 */
import { isSame } from '@kelisim/signature/asn1/values.ts'
import {
  examineSignature,
  type Examination,
  type SignerExamination,
} from '@kelisim/signature/examination/examine.ts'
import { isPdf } from '@kelisim/signature/pdf/document.ts'
import { examinePdf, type PdfSignature } from '@kelisim/signature/pdf/examine-pdf.ts'
import { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
import { looksLikeXml } from '@kelisim/signature/xml/read.ts'
import { minute } from '@kelisim/domain/durations.ts'
import {
  defaultPolicy,
  type EvidenceSource,
  type Setting,
  type Trust,
} from '@kelisim/signature/examination/policy.ts'
import { baseName, bytesOf, piecesOf, startOf, type InputFile } from '../reading/input-file.ts'
import { filesIn, readFile, type ReadFile } from '../reading/kind-of.ts'
import { ZipError } from '../reading/read-zip.ts'
import { bundleGroup } from './bundle.ts'
import type { LogKeys } from './log-keys.ts'
import { signatureReport } from './facts.ts'
import { byName, digestsIn, digestsOfFile, fingerprintOf, isUnder, type Digests } from './match.ts'
import {
  outcomeOf,
  worstOutcome,
  type FileFacts,
  type Group,
  type PdfFacts,
  type Report,
  type SignatureReport,
  type Trouble,
} from './report.ts'
import { evidenceFrom, type AskRevocation } from './revocation.ts'

export type CheckOutside = {
  trust: Trust
  isDemo: boolean
  /** The keys of our own log, to recognise our bundles. */
  logKeys: LogKeys
  askRevocation: AskRevocation
  /** The files embedded in a PDF, in their order. */
  attachmentsOf: (pdf: Blob) => Promise<InputFile[]>
  at: Date
  onProgress: (progress: Progress) => void
}

export type Progress = { file: string; done: number; total: number }

/** Allowed difference between the clocks of the certification centre and this computer. */
const clockAllowance = 5 * minute

export async function checkFiles(given: readonly InputFile[], outside: CheckOutside): Promise<Report> {
  const { at, isDemo } = outside
  return {
    at,
    isDemo,
    groups: await groupsOf(given, { ...outside, ask: evidenceFrom(outside.askRevocation) }),
  }
}

type Work = CheckOutside & {
  ask: EvidenceSource
  /** From an archive: archives inside of it are not opened, because they can be nested without end. */
  isInArchive?: boolean
}
type Read<K extends ReadFile['kind']> = Extract<ReadFile, { kind: K }>
type Document = InputFile & { digests: Digests; isInside: boolean }

async function groupsOf(given: readonly InputFile[], work: Work): Promise<Group[]> {
  const groups: Group[] = []
  const files: ReadFile[] = []
  for (const file of given) {
    const read = await readOrTell(file, work)
    if ('outcome' in read) groups.push(read)
    else files.push(read)
  }
  const of = <K extends ReadFile['kind']>(...kinds: K[]) =>
    files.filter((file): file is Read<K> => kinds.some((kind) => kind === file.kind))
  for (const { name, blob, entries } of of('bundle')) {
    groups.push(await bundleGroup(entries, await factsOf({ name, blob }, work), work))
  }
  for (const set of of('set')) groups.push(...(await setGroups(set, work)))
  const signed = { signatures: of('signature'), electronic: of('electronic') }
  groups.push(...(await documentGroups(of('pdf', 'document'), signed, work)))
  return groups
}

async function readOrTell(file: InputFile, work: Work): Promise<ReadFile | Group> {
  try {
    const read = await readFile(file)
    if (read.kind === 'set' && work.isInArchive) return { ...file, kind: 'document' }
    return read.kind === 'empty' ? alone(await factsOf(file, work), 'empty') : read
  } catch (error) {
    if (error instanceof ZipError) return alone(await factsOf(file, work), error.reason)
    throw error
  }
}

/** An archive with a document and its signatures is treated as if its files had been dropped one by one. */
async function setGroups({ name, blob, entries }: Read<'set'>, work: Work): Promise<Group[]> {
  const container = await factsOf({ name, blob }, work)
  try {
    const groups = await groupsOf(await filesIn(entries), { ...work, isInArchive: true })
    return groups.map((group) => {
      // These warnings apply wherever the files are.
      const isOwn = group.kind === 'card' || group.kind === 'bundle'
      return { ...group, kind: isOwn ? group.kind : 'set', container: group.container ?? container }
    })
  } catch (error) {
    if (error instanceof ZipError) return [alone(container, error.reason)]
    throw error
  }
}

/** A document beside a CMS that contains one has to be the same: people read the one and trust the other. */
async function electronicGroup(
  file: Read<'electronic'>,
  { documents, isOnly }: { documents: readonly Document[]; isOnly: boolean },
  work: Work,
): Promise<{ group: Group; beside: Document | null }> {
  const inside = new Blob(file.content.map((piece) => new Uint8Array(piece)))
  const name = insideName(file.name)
  const sha256 = await sha256Of(inside, name, work)
  const beside =
    documents.find(({ digests }) => fingerprintOf(digests) === sha256) ??
    (isOnly && documents.length === 1 ? documents[0]! : byName(file.name, documents))
  const examination = await examine(file.der, beside, name, work)
  const report = signatureReport(examination, { fileName: file.name, document: name })
  const document = { name, size: inside.size, sha256, inside }
  return { group: together('electronic', [document], [report], await factsOf(file, work)), beside }
}

/** The name of a document inside a CMS, derived from the file name because a signature does not contain it. */
function insideName(name: string): string {
  const bare = baseName(name).replace(/\.(cms|p7m|p7s|sig|sign|p7b)$/i, '')
  return bare === '' ? baseName(name) : bare
}

async function documentGroups(
  candidates: readonly Read<'pdf' | 'document'>[],
  { signatures, electronic }: { signatures: Read<'signature'>[]; electronic: Read<'electronic'>[] },
  work: Work,
): Promise<Group[]> {
  const signed = signatures.map((file) => ({ file, digests: digestsIn(file.der) }))
  const hashes = signed.flatMap(({ digests }) => digests.map((one) => one.hash))
  const groups: Group[] = []
  const documents: Document[] = []
  const originals: Document[] = []
  for (const file of candidates) {
    const onRead = progressOf(file, work)
    const document = { ...file, digests: await digestsOfFile(file, hashes, onRead), isInside: false }
    const isSigned = signed.some(({ digests }) => isUnder(digests, document.digests))
    const card = file.kind === 'pdf' && !isSigned ? await cardGroup(document, work) : null
    if (card) {
      groups.push(card.group)
      const { original } = card
      originals.push({ ...original, digests: await digestsOfFile(original, hashes), isInside: true })
    } else documents.push(document)
  }
  const told = new Set<Document>()
  for (const document of [...documents, ...originals]) {
    const inside = (await pdfGroup(document, work)) ?? (await xmlGroup(document, work))
    if (!inside) continue
    groups.push(inside)
    told.add(document)
  }
  const isOnly = signatures.length + electronic.length === 1
  for (const file of electronic) {
    const { group, beside } = await electronicGroup(file, { documents, isOnly }, work)
    groups.push(group)
    if (beside) told.add(beside)
  }
  const under = new Map<Document | null, Read<'signature'>[]>()
  for (const { file, digests } of signed) {
    const document = documentOf(file, digests, documents, originals)
    under.set(document, [...(under.get(document) ?? []), file])
  }
  for (const document of [...documents, ...originals]) {
    const its = under.get(document)
    if (its) groups.push(await detachedGroup(document, its, work))
    else if (!document.isInside && !told.has(document)) groups.push(await loneGroup(document))
  }
  const lost = under.get(null)
  if (lost) groups.push(await detachedGroup(null, lost, work))
  return groups
}

/**
 * The document with the signed hash; else the only one or the one with the same name, to report that it was changed.
 */
function documentOf(
  file: InputFile,
  digests: ReturnType<typeof digestsIn>,
  documents: readonly Document[],
  originals: readonly Document[],
): Document | null {
  const all = [...documents, ...originals]
  const exact = all.find((one) => isUnder(digests, one.digests))
  if (exact) return exact
  const [only, ...more] = documents.length > 0 ? documents : originals
  return more.length === 0 ? (only ?? null) : byName(file.name, all)
}

async function detachedGroup(
  document: Document | null,
  signatures: readonly Read<'signature'>[],
  work: Work,
): Promise<Group> {
  const checked: CheckedFile[] = []
  for (const { name, der } of signatures) {
    const examination = await examine(der, document, document?.name ?? name, work)
    const place = { fileName: baseName(name), document: document?.name ?? null }
    addOnce(checked, { examination, report: signatureReport(examination, place) })
  }
  const reports = checked.map(({ report }) => report)
  const group = together('detached', document ? [documentFacts(document)] : [], reports, null)
  return document ? group : { ...group, trouble: 'no-document' }
}

type CheckedFile = { examination: Examination; report: SignatureReport }

/** One signature in two files, or once more with its timestamp, is one signature: the one that proves more is shown. */
function addOnce(checked: CheckedFile[], added: CheckedFile): void {
  const index = checked.findIndex(({ examination }) => isSameAct(examination, added.examination))
  const before = checked[index]
  if (!before) {
    checked.push(added)
    return
  }
  const isBetter = provedTimes(added) > provedTimes(before)
  const [shown, other] = isBetter ? [added, before] : [before, added]
  const alsoIn = [...(other.report.alsoIn ?? []), ...(shown.report.alsoIn ?? []), other.report.fileName]
  checked[index] = { ...shown, report: { ...shown.report, alsoIn } }
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

function provedTimes({ examination }: CheckedFile): number {
  return examination.signers.filter(({ timestampTime }) => timestampTime !== null).length
}

/**
 * The first embedded file is the original, then come its signatures; other files are not judged and are shown as not
 * signed. Whoever changes the pages around them changes nothing that was signed, so such a file is never simply valid.
 */
async function cardGroup(card: Document, work: Work): Promise<{ group: Group; original: InputFile } | null> {
  const [original, ...rest] = await work.attachmentsOf(card.blob)
  if (!original) return null
  const read: ReadFile[] = []
  for (const file of rest)
    read.push(await readFile(file).catch(() => ({ ...file, kind: 'document' }) as const))
  const signatures = read.filter((file) => file.kind === 'signature')
  if (signatures.length === 0) return null
  const digests = await digestsOfFile(original, [])
  const document: Document = { ...original, digests, isInside: true }
  const { documents, signatures: reports } = await detachedGroup(document, signatures, work)
  const group = together('card', documents, reports, documentFacts(card))
  const isSigned = group.outcome === 'valid'
  const stateOf = ({ kind }: ReadFile) => (kind === 'signature' ? 'signature' : 'unsigned')
  const attachments: Group['attachments'] = [
    { name: baseName(original.name), state: isSigned ? 'signed' : 'unsigned' },
    ...read.map((file) => ({ name: baseName(file.name), state: stateOf(file) }) as const),
  ]
  return { group: { ...group, outcome: isSigned ? 'inside' : group.outcome, attachments }, original }
}

/** Signatures that another program put into a PDF. Null: there are none. */
async function pdfGroup(document: Document, work: Work): Promise<Group | null> {
  if (!isPdf(await startOf(document.blob, 8))) return null
  const examination = await examinePdf(await bytesOf(document.blob), settingOf(work))
  if (!examination) return null
  const place = { fileName: baseName(document.name), document: document.name }
  const reports = examination.signatures.map((signature) => ({
    ...signatureReport(signature.examination, place),
    inPdf: pdfFacts(signature, document.blob),
  }))
  // What is wrong with the file is told as of a signature that cannot be read.
  const ofFile = signatureReport({ findings: examination.findings, signers: [] }, place)
  const all = examination.findings.length > 0 ? [ofFile, ...reports] : reports
  return together('pdf', [documentFacts(document)], all, null)
}

/** XML is small; a larger file is something else. */
const largestXml = 64 * 1024 ** 2

async function xmlGroup(document: Document, work: Work): Promise<Group | null> {
  if (document.blob.size > largestXml || !looksLikeXml(await startOf(document.blob, 64))) return null
  const examination = await examineXml(await bytesOf(document.blob), settingOf(work))
  if (!examination) return null
  const place = { fileName: baseName(document.name), document: document.name }
  const reports = examination.signatures.map(({ covers, isWhole, signed, examination: examined }) => ({
    ...signatureReport(examined, place),
    inXml: {
      elements: isWhole ? [] : covers,
      signed: signed.length > 0 ? new Blob(signed, { type: 'application/xml' }) : null,
    },
  }))
  const ofFile = signatureReport({ findings: examination.findings, signers: [] }, place)
  const all = examination.findings.length > 0 ? [ofFile, ...reports] : reports
  return together('xml', [documentFacts(document)], all, null)
}

function pdfFacts({ format, covers, changesAfter, timestamp }: PdfSignature, pdf: Blob): PdfFacts {
  return {
    format,
    covers,
    changesAfter,
    signedVersion: covers && !covers.isWhole ? pdf.slice(0, covers.to, 'application/pdf') : null,
    timestampTime: timestamp?.time ?? null,
  }
}

async function loneGroup(document: Document): Promise<Group> {
  const isOffice = /\.(docx?|xlsx?|odt|ods|rtf)$/i.test(document.name)
  return alone(documentFacts(document), isOffice ? 'docx' : 'document')
}

function alone(file: FileFacts, trouble: Trouble): Group {
  const outcome = trouble === 'document' || trouble === 'docx' ? 'unsigned' : 'unreadable'
  return { kind: 'alone', outcome, container: null, documents: [file], signatures: [], bundle: null, trouble }
}

function together(
  kind: Group['kind'],
  documents: FileFacts[],
  signatures: SignatureReport[],
  container: FileFacts | null,
): Group {
  const outcome = worstOutcome(signatures.map(({ verdict }) => outcomeOf(verdict)))
  return { kind, outcome, container, documents, signatures, bundle: null, trouble: null }
}

function documentFacts({ name, blob, digests, isInside }: Document): FileFacts {
  const inside = isInside ? blob : null
  return { name: baseName(name), size: blob.size, sha256: fingerprintOf(digests), inside }
}

async function factsOf({ name, blob }: InputFile, work: Work): Promise<FileFacts> {
  return { name: baseName(name), size: blob.size, sha256: await sha256Of(blob, name, work), inside: null }
}

async function sha256Of(blob: Blob, name: string, work: Work): Promise<string> {
  return fingerprintOf(await digestsOfFile({ blob }, [], progressOf({ name, blob }, work)))
}

async function examine(
  der: Uint8Array,
  document: InputFile | null,
  name: string,
  work: Work,
): Promise<Examination> {
  const content = document && piecesOf(document.blob, progressOf({ ...document, name }, work))
  return examineSignature(der, content, settingOf(work))
}

function settingOf({ trust, ask, at }: Work): Setting {
  return { trust, evidence: ask, policy: defaultPolicy, at, clockAllowance }
}

function progressOf({ name, blob }: InputFile, { onProgress }: Pick<Work, 'onProgress'>) {
  let done = 0
  return (bytes: number) => {
    done += bytes
    onProgress({ file: baseName(name), done, total: blob.size })
  }
}
