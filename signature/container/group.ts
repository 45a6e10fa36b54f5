/** The result for files that belong together. */
import type { BundleCheck } from '../bundle/bundle-check.ts'
import type { RecordExamination } from '../evidence-records/examine.ts'
import type { Examination } from '../examination/examine.ts'
import type { Setting } from '../examination/policy.ts'
import type { PdfSignature } from '../pdf/examine-pdf.ts'
import type { VerifierKey } from '../transparency/note.ts'
import type { XmlSignatureExamination } from '../xml/examine-xml.ts'
import type { AttachmentReader, Container, CollectedFileOf } from './collect.ts'
import type { CodeReader } from './collect-paper.ts'
import { baseName, type ContainerError, type InputFile } from './input-file.ts'
import { digestsOfFile, fingerprintOf, type Digests } from './match.ts'

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
  /** The container that both the documents and the signatures came in. */
  within: Container | null
  /** The file that has the document and the signatures in it. */
  envelope: HashedFile | null
  documents: HashedFile[]
  signatures: ExaminedSignature[]
  /** Everything that came with a card or a signed e-mail. */
  attachments: { name: string; role: 'document' | 'signature' | 'other' }[]
  bundle: BundleCheck | null
  /** The result for the evidence record, which is the envelope. */
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
  /** The SHA-256 in hexadecimal digits. */
  sha256: string
  /** The file came inside another file, and can be saved from there. */
  isInside: boolean
}

export type ExaminedSignature = {
  fileName: string
  /** The name with its folders. */
  path: string
  /** The file that contains the signature. */
  file: Blob
  /** The name of the document that the signature was compared with. */
  document: string | null
  examination: Examination
  /** Other files with the same signature. */
  alsoIn: string[]
  inPdf: PdfSignature | null
  inXml: XmlSignatureExamination | null
}

export type Document = CollectedFileOf<'pdf' | 'document'> & { digests: Digests }

export const emptyGroup = {
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

export function hashedDocument({ name, blob, digests, container }: Document): HashedFile {
  return { name: baseName(name), blob, sha256: fingerprintOf(digests), isInside: container !== null }
}

export async function hashed(file: InputFile, work: FilesSetting): Promise<HashedFile> {
  const digests = await digestsOfFile(file, [], progressOf(file, work))
  return { name: baseName(file.name), blob: file.blob, sha256: fingerprintOf(digests), isInside: false }
}

export function progressOf({ name, blob }: InputFile, { onProgress }: FilesSetting) {
  let done = 0
  return (bytes: number) => {
    done += bytes
    onProgress?.({ file: baseName(name), done, total: blob.size })
  }
}

/** The innermost first. */
export function containersAround(container: Container | null): Container[] {
  return container === null ? [] : [container, ...containersAround(container.within)]
}
