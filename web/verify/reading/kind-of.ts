/** Detects the kind of a file by its content, and by its name only if the content says nothing. */
import { bundleFiles } from '@kelisim/signature/bundle/bundle.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { looksLikeCms, readSignedData, type SignedData } from '@kelisim/signature/cms/signed-data.ts'
import { derOf } from '@kelisim/signature/asn1/pem.ts'
import { bytesOf, startOf, type InputFile } from './input-file.ts'
import { readZip, unpacked, type ZipEntry } from './read-zip.ts'

export type ReadFile = InputFile &
  (
    | { kind: 'signature'; der: Uint8Array }
    /** A CMS with the document inside. */
    | { kind: 'electronic'; der: Uint8Array; content: Uint8Array[] }
    | { kind: 'bundle' | 'set'; entries: ZipEntry[] }
    | { kind: 'pdf' | 'document' }
    | { kind: 'empty' }
  )

const signatureNames = /\.(cms|p7s|p7m|p7b|sig|sign)$/i
/** Larger files are not a signature as text. */
const longestText = 300 * 1024 * 1024

export async function readFile({ name, blob }: InputFile): Promise<ReadFile> {
  const given = { name, blob }
  if (blob.size === 0) return { ...given, kind: 'empty' }
  const start = await startOf(blob, 64)
  const der = await signatureIn(given, start)
  if (der) return { ...given, ...signatureKind(der) }
  if (startsWith(start, '%PDF-')) return { ...given, kind: 'pdf' }
  if (startsWith(start, 'PK\u0003\u0004') || startsWith(start, 'PK\u0005\u0006')) return readArchive(given)
  return { ...given, kind: 'document' }
}

function signatureKind(der: Uint8Array): { kind: 'signature'; der: Uint8Array } | Electronic {
  const content = readable(der)?.content ?? null
  return content ? { kind: 'electronic', der, content } : { kind: 'signature', der }
}
type Electronic = { kind: 'electronic'; der: Uint8Array; content: Uint8Array[] }

/** A damaged signature is still a signature: the engine reports what is wrong with it. */
export function readable(der: Uint8Array): SignedData | null {
  try {
    return readSignedData(der)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

async function signatureIn({ name, blob }: InputFile, start: Uint8Array): Promise<Uint8Array | null> {
  if (looksLikeCms(start)) return bytesOf(blob)
  const isNamedSo = signatureNames.test(name)
  if (startsWith(start, '-----BEGIN ') || startsWith(start, 'MI') || isNamedSo) {
    if (blob.size > longestText) return null
    const bytes = await bytesOf(blob)
    const der = decoded(bytes)
    if (der && looksLikeCms(der)) return der
    if (isNamedSo) return der ?? bytes
  }
  return null
}

function decoded(bytes: Uint8Array): Uint8Array | null {
  try {
    return derOf(withoutMark(bytes))
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

/** Some editors put a byte order mark before a text. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** An archive without signatures is a document like any other, for example an office file. */
async function readArchive(given: InputFile): Promise<ReadFile> {
  const entries = await readZip(given.blob)
  const names = entries.map(({ name }) => name)
  if (names.includes(bundleFiles.manifest) && names.includes(bundleFiles.manifestSignature)) {
    return { ...given, kind: 'bundle', entries }
  }
  if (names.includes('[Content_Types].xml')) return { ...given, kind: 'document' }
  for (const entry of entries) {
    if (signatureNames.test(entry.name)) return { ...given, kind: 'set', entries }
  }
  return { ...given, kind: 'document' }
}

/** The files in an archive. */
export async function filesIn(entries: readonly ZipEntry[]): Promise<InputFile[]> {
  const files: InputFile[] = []
  for (const entry of entries) files.push({ name: entry.name, blob: await unpacked(entry) })
  return files
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return text.split('').every((sign, i) => bytes[i] === sign.charCodeAt(0))
}
