/**
 * Opens whatever was given, containers in containers included, and lists every file with the container it came in.
 * Bytes, files and nesting are limited for all of it together: a few kilobytes can be made to unpack to gigabytes.
 */
import type { HashName } from '../algorithms/hash.ts'
import { filesOfRecord } from '../evidence-records/examine.ts'
import { mayBeSigned } from '../pdf/examine-pdf.ts'
import { bytesOf, ContainerError, piecesOf, type InputFile } from './input-file.ts'
import { readFile, type ReadFile } from './kind-of.ts'
import { byName, digestsIn, digestsOfFile, isUnder, type SignedDigest } from './match.ts'
import { pdfAttachments } from './pdf-attachments.ts'
import { filesInMail } from './read-mail.ts'
import { refuseHidden, unpacked, zipLimits } from './read-zip.ts'

/** The file that contained other files. */
export type Container = InputFile & {
  /** A card is a PDF with its original and its signatures embedded; paper is a picture of one, with its codes. */
  kind: 'archive' | 'mail' | 'card' | 'paper'
  /** For paper: all files with codes of the signature. */
  sheets?: string[]
  within: Container | null
}

/** `opened`: a container that an evidence record beside it covers; the files in it are listed too. */
export type CollectedFile = (ReadFile | (InputFile & { kind: 'opened' })) & {
  /** Null: the person gave the file itself. */
  container: Container | null
}
export type CollectedFileOf<K extends CollectedFile['kind']> = K extends string
  ? Extract<CollectedFile, { kind: K }>
  : never

export const containerLimits = {
  /** Deep enough for a card in an archive that came by e-mail. */
  depth: 3,
  files: zipLimits.entries,
  bytes: zipLimits.bytes,
}

export type Budget = { files: number; bytes: number }

/** Reads PDFs that our own reader refuses, for example because they were repaired by hand. */
export type AttachmentReader = (pdf: Blob) => Promise<InputFile[]>

/** Files that systems add to archives by themselves. */
const systemFiles = /(?:^|\/)(?:__MACOSX\/.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/i

export async function collect(
  given: readonly InputFile[],
  attachmentsOf: AttachmentReader | null,
): Promise<CollectedFile[]> {
  const budget = { files: containerLimits.files, bytes: containerLimits.bytes }
  return withAttachments(await opened(given, null, budget), attachmentsOf, budget)
}

async function opened(
  given: readonly InputFile[],
  container: Container | null,
  budget: Budget,
): Promise<CollectedFile[]> {
  const read: CollectedFile[] = []
  for (const file of given) {
    if (container !== null) spend(budget, file.blob.size)
    const one: CollectedFile = { ...(await readFile(file)), container }
    // Revocation evidence that was not in a container is treated as an ordinary file.
    read.push(one.kind === 'evidence' && container === null ? asDocument(one) : one)
  }
  const depth = depthOf(container)
  const signed = await signedContainers(read)
  const recorded = await recordedContainers(read)
  const found: CollectedFile[] = []
  for (const file of read) {
    const isContainer = file.kind === 'archive' || file.kind === 'mail'
    // A container that is signed as a whole is a document, whatever it contains.
    if (!isContainer || signed.has(file) || depth >= containerLimits.depth) found.push(plain(file, signed))
    else {
      const { name, blob, kind } = file
      const inside: Container = { name, blob, kind, within: container }
      if (recorded.has(file)) found.push({ name, blob, container, kind: 'opened' })
      found.push(...(await openedOrTold(inside, budget, () => filesIn(file))))
    }
  }
  return found
}

function asDocument({ name, blob, partOf, container }: CollectedFile): CollectedFileOf<'document'> {
  return { name, blob, container, kind: 'document', ...(partOf && { partOf }) }
}

function plain(file: CollectedFile, signed: ReadonlySet<CollectedFile>): CollectedFile {
  const isDocument = file.kind === 'archive' || file.kind === 'mail' || signed.has(file)
  return isDocument ? asDocument(file) : file
}

async function openedOrTold(
  container: Container,
  budget: Budget,
  filesIn: () => Promise<InputFile[]>,
): Promise<CollectedFile[]> {
  const { name, blob, within } = container
  try {
    const inside = await opened(await filesIn(), container, budget)
    const isNothing = inside.every(({ kind }) => kind === 'evidence')
    return isNothing ? [{ name, blob, container: within, kind: 'document' }] : inside
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
    return [{ name, blob, container: within, kind: 'unreadable', reason: error.reason }]
  }
}

async function filesIn(file: CollectedFileOf<'archive' | 'mail'>): Promise<InputFile[]> {
  if (file.kind === 'mail') return filesInMail(await bytesOf(file.blob))
  await refuseHidden(file.blob)
  const files: InputFile[] = []
  for (const entry of file.entries) {
    if (!systemFiles.test(entry.name)) files.push({ name: entry.name, blob: await unpacked(entry) })
  }
  return files
}

/** Archives, e-mails and PDFs that are signed as a whole by a signature beside them. */
async function signedContainers(read: readonly CollectedFile[]): Promise<Set<CollectedFile>> {
  const signatures = read.filter((file) => file.kind === 'signature')
  const containers = containersAmong(read)
  const signed = new Set<CollectedFile>()
  if (signatures.length === 0 || containers.length === 0) return signed
  const digests = signatures.map(({ der }) => digestsIn(der))
  const others = read.filter(({ kind }) => kind !== 'signature')
  const named = new Set(signatures.map(({ name }) => byName(name, others)))
  for (const file of containers) {
    const isSignedPart = signatures.some(({ signs }) => signs?.blob === file.blob)
    if (isSignedPart || named.has(file) || (await isSigned(file, digests))) signed.add(file)
  }
  return signed
}

function containersAmong(read: readonly CollectedFile[]): CollectedFile[] {
  return read.filter(({ kind }) => kind === 'archive' || kind === 'mail' || kind === 'unreadable')
}

/** Containers that an evidence record beside them covers as a whole. */
async function recordedContainers(read: readonly CollectedFile[]): Promise<Set<CollectedFile>> {
  const files = containersAmong(read).map((file) => ({
    name: file.name,
    file,
    pieces: () => piecesOf(file.blob),
  }))
  const recorded = new Set<CollectedFile>()
  for (const one of read) {
    if (one.kind !== 'record') continue
    for (const { file } of await filesOfRecord(one.record, files)) recorded.add(file)
  }
  return recorded
}

export async function isSigned(
  file: InputFile,
  signed: readonly (readonly SignedDigest[])[],
): Promise<boolean> {
  const hashes = new Set<HashName>(signed.flatMap((all) => all.map(({ hash }) => hash)))
  const digests = await digestsOfFile(file, hashes)
  return signed.some((all) => isUnder(all, digests))
}

/** A PDF with signatures embedded is a card, unless somebody signed the PDF itself. */
async function withAttachments(
  found: readonly CollectedFile[],
  attachmentsOf: AttachmentReader | null,
  budget: Budget,
): Promise<CollectedFile[]> {
  const digests = found.flatMap((file) => (file.kind === 'signature' ? [digestsIn(file.der)] : []))
  const all: CollectedFile[] = []
  for (const file of found) {
    all.push(file)
    if (file.kind !== 'pdf' || depthOf(file.container) >= containerLimits.depth) continue
    if (digests.length > 0 && (await isSigned(file, digests))) continue
    const { name, blob, container: within } = file
    const attached = (await pdfAttachments(await bytesOf(blob))) ?? (await attachmentsOf?.(blob)) ?? []
    if (attached.length === 0) continue
    const card: Container = { name, blob, kind: 'card', within }
    const inside = await openedOrTold(card, budget, () => Promise.resolve(attached))
    if (await hasSignatures(inside)) all.push(...inside)
  }
  return all
}

/** The signatures lie beside their document or in it: the card of a PDF with inner signatures embeds that PDF. */
async function hasSignatures(inside: readonly CollectedFile[]): Promise<boolean> {
  for (const { kind, blob } of inside) {
    if (kind === 'signature' || kind === 'electronic' || kind === 'unreadable') return true
    if (kind === 'pdf' && mayBeSigned(await bytesOf(blob))) return true
  }
  return false
}

function spend(budget: Budget, bytes: number): void {
  budget.files--
  budget.bytes -= bytes
  if (budget.files < 0 || budget.bytes < 0) throw new ContainerError('too-much')
}

function depthOf(container: Container | null): number {
  return container === null ? 0 : 1 + depthOf(container.within)
}
