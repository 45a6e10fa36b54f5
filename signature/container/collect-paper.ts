/**
 * Finds signatures in what was scanned, photographed or printed to a PDF, and puts them beside the files that came
 * with it.
 */
import { baseName, bytesOf, startOf, type InputFile } from './input-file.ts'
import { isSigned, type Container, type CollectedFile } from './collect.ts'
import { readFile } from './kind-of.ts'
import { digestsIn } from './match.ts'
import { isPartOfSet, linksInCodes, signaturesInCodes } from './paper.ts'

/** The texts of the codes in a picture, or on the pages of a PDF. */
export type CodeReader = (file: InputFile) => Promise<string[]>

/** The codes of one signature may be spread over several files, because a card has many pages. */
export async function withPaper(
  found: readonly CollectedFile[],
  codesIn: CodeReader,
): Promise<CollectedFile[]> {
  const others: CollectedFile[] = []
  const cards: CollectedFile[] = []
  const texts: string[] = []
  for (const file of found) {
    if (!(await mayBePaper(file, found))) {
      others.push(file)
      continue
    }
    const read = await codesIn(file)
    const links = linksInCodes(read)
    const withLinks = { ...file, ...(links.length > 0 && { links }) }
    if (read.some(isPartOfSet)) cards.push(withLinks)
    else others.push(withLinks)
    texts.push(...read)
  }
  const [first] = cards
  if (!first) return others
  const { name, blob, container: within } = first
  const links = cards.flatMap((card) => card.links ?? [])
  const paper: Container = {
    name,
    blob,
    kind: 'paper',
    within,
    links,
    sheets: cards.map((card) => baseName(card.name)),
  }
  for (const { signature } of await signaturesInCodes(texts)) {
    const read = signature && (await readFile(signature))
    // A CMS that contains its own document says nothing about the files given here.
    if (read?.kind === 'signature') others.push({ ...read, container: paper })
    else others.push({ ...first, kind: 'unreadable', reason: 'codes-missing' })
  }
  return others
}

/**
 * A signed file is a document, whatever it shows. So is a file beside a CMS that contains a document, because the two
 * have to be compared. A PDF with embedded files has its signatures in them.
 */
async function mayBePaper(file: CollectedFile, found: readonly CollectedFile[]): Promise<boolean> {
  const isPicture = file.kind === 'document' && looksLikePicture(await startOf(file.blob, 8))
  if (!isPicture && file.kind !== 'pdf') return false
  if (found.some(({ kind }) => kind === 'electronic')) return false
  if (file.kind === 'pdf') {
    const isCard = found.some(({ container }) => container?.blob === file.blob)
    if (isCard || (await hasSignatureField(file.blob))) return false
  }
  const digests = found.flatMap((one) => (one.kind === 'signature' ? [digestsIn(one.der)] : []))
  return digests.length === 0 || !(await isSigned(file, digests))
}

/** Names are searched for as they are written; a PDF that hides them only costs a needless reading of its pages. */
async function hasSignatureField(pdf: Blob): Promise<boolean> {
  return new TextDecoder('latin1').decode(await bytesOf(pdf)).includes('/ByteRange')
}

/** Whether the file begins like a format that scanners and phones write. */
export function looksLikePicture(start: Uint8Array): boolean {
  const begins = (...bytes: number[]) => bytes.every((byte, i) => start[i] === byte)
  return begins(0x89, 0x50, 0x4e, 0x47) || begins(0xff, 0xd8, 0xff) || begins(0x42, 0x4d)
}
