/**
 * Takes files in any order, finds out which belong together and examines them. Independent of page, command line and
 * network. It reports findings; the caller decides what they mean.
 *
 *   archive, e-mail ─▶ an evidence bundle, or files of their own
 *   CMS             ─▶ with a document inside: an electronic document · without: a signature of one of the documents
 *   PDF             ─▶ a document card (its original and its signatures are embedded), signatures inside the PDF, or a document
 *   XML             ─▶ signatures inside of it, or a document
 *   record          ─▶ proves since when the files it covers (signatures too) exist
 *   the rest        ─▶ documents
 */
import { collect, type CollectedFile, type CollectedFileOf } from './collect.ts'
import { withPaper } from './collect-paper.ts'
import {
  bundleGroup,
  detachedGroup,
  electronicGroup,
  pdfGroup,
  recordGroup,
  xmlGroup,
  type SignatureFiles,
} from './examine-group.ts'
import {
  hashed,
  hashedDocument,
  emptyGroup,
  progressOf,
  type Document,
  type ExaminedGroup,
  type FilesSetting,
} from './group.ts'
import { inContainers } from './in-containers.ts'
import type { InputFile } from './input-file.ts'
import { digestsIn, digestsOfFile, documentOf, fingerprintOf, isUnder } from './match.ts'

export async function examineFiles(
  given: readonly InputFile[],
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const collected = await collect(given, work.attachmentsOf ?? null)
  const found = work.codesIn ? await withPaper(collected, work.codesIn) : collected
  const of = <K extends CollectedFile['kind']>(...kinds: K[]) =>
    found.filter((file): file is CollectedFileOf<K> => kinds.some((kind) => kind === file.kind))
  const groups: ExaminedGroup[] = []
  for (const file of of('empty', 'unreadable'))
    groups.push(await aloneGroup(file, file.kind === 'empty' ? 'empty' : file.reason, work))
  for (const file of of('bundle')) groups.push(await bundleGroup(file, work))
  const proved = new Map<Blob, Date>()
  for (const file of of('record')) groups.push(await recordGroup(file, found, proved, work))
  const signatures = of('signature').map((file) => ({ file, digests: digestsIn(file.der) }))
  const hashes = signatures.flatMap(({ digests }) => digests.map((one) => one.hash))
  const documents: Document[] = []
  for (const file of of('pdf', 'document', 'record')) {
    const digests = await digestsOfFile(file, hashes, progressOf(file, work))
    // A record that somebody has signed is a document.
    const isDocument = file.kind !== 'record' || signatures.some((one) => isUnder(one.digests, digests))
    if (isDocument) documents.push({ ...file, kind: file.kind === 'pdf' ? 'pdf' : 'document', digests })
  }
  const withProofs = { ...work, proved }
  groups.push(...(await documentGroups(documents, { signatures, electronic: of('electronic') }, withProofs)))
  const recorded = new Set(
    groups.flatMap(({ record, documents: its }) => (record ? its.map((one) => one.blob) : [])),
  )
  // A record proves when something existed; a certificate under one, and nothing signed, is not a signature.
  if (groups.every(({ kind }) => kind === 'record' || kind === 'alone'))
    for (const file of of('evidence'))
      if (recorded.has(file.blob)) groups.push(await aloneGroup(file, 'document', work))
  return inContainers(groups, found, work)
}

async function aloneGroup(
  file: CollectedFile,
  trouble: ExaminedGroup['trouble'],
  work: FilesSetting,
): Promise<ExaminedGroup> {
  return {
    ...emptyGroup,
    kind: 'alone',
    within: file.container,
    documents: [await hashed(file, work)],
    trouble,
  }
}

async function documentGroups(
  documents: readonly Document[],
  { signatures, electronic }: SignatureFiles,
  work: FilesSetting,
): Promise<ExaminedGroup[]> {
  const groups: ExaminedGroup[] = []
  const told = new Set<Document>()
  /** The fingerprints of documents that are known to be signed: a copy of one elsewhere is signed, too. */
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
  const under = new Map<Document | null, CollectedFileOf<'signature'>[]>()
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
    // A signature beside a card and a signature in it are reported apart: only the card has pages that nobody signed.
    for (const its of byContainer(under.get(document) ?? [], document))
      groups.push(await detachedGroup(document, its, work))
    if (isTold(document)) continue
    groups.push({
      ...emptyGroup,
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

/** Signatures that came in the same container as the document are listed first. */
function byContainer(
  files: readonly CollectedFileOf<'signature'>[],
  document: Document | null,
): CollectedFileOf<'signature'>[][] {
  const isWith = ({ container }: CollectedFileOf<'signature'>) => (container === document?.container ? 0 : 1)
  const sorted = files.toSorted((one, other) => isWith(one) - isWith(other))
  return [...Map.groupBy(sorted, ({ container }) => container).values()]
}

/** The original of a card comes first: a signature that does not fit it is reported as one over a changed original. */
function documentFor(
  file: CollectedFileOf<'signature'>,
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
