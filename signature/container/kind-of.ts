/** Detects the kind of a file by its content, and by its name only if the content says nothing. */
import { derOf } from '../asn1/pem.ts'
import { MalformedError } from '../asn1/read.ts'
import { bundleFiles } from '../bundle/bundle.ts'
import { looksLikeCms, readSignedData, type SignedData } from '../cms/signed-data.ts'
import { looksLikeAsn1Record } from '../evidence-records/read-asn1.ts'
import { looksLikeXmlRecord } from '../evidence-records/read-xml.ts'
import { bytesOf, ContainerError, startOf, type InputFile } from './input-file.ts'
import { looksLikeMail } from './read-mail.ts'
import { readZip, type ZipEntry } from './read-zip.ts'

export type ReadFile = InputFile &
  (
    | { kind: 'signature'; der: Uint8Array }
    /** A CMS with the document inside. */
    | { kind: 'electronic'; der: Uint8Array; content: Uint8Array[] }
    | { kind: 'bundle'; entries: ZipEntry[] }
    | { kind: 'archive'; entries: ZipEntry[] }
    | { kind: 'mail' }
    | { kind: 'pdf' }
    | { kind: 'document' }
    /** Certificates and revocation data of centres, which come beside signatures. */
    | { kind: 'evidence' }
    /** An evidence record over files that came with it. */
    | { kind: 'record'; record: Uint8Array }
    | { kind: 'empty' }
    /** An archive that cannot be opened; it may be signed all the same. */
    | { kind: 'unreadable'; reason: ContainerError['reason'] | 'codes-missing' }
  )

const signatureNames = /\.(cms|p7s|p7m|p7b|sig|sign)$/i
const evidenceNames = /\.(cer|crt|crl|ocsp|tsr|tsp|tst)$/i
/** Larger files are not checked for a signature in text form. */
const longestText = 300 * 1024 * 1024

export async function readFile(given: InputFile): Promise<ReadFile> {
  const { name, blob } = given
  if (blob.size === 0) return { ...given, kind: 'empty' }
  const start = await startOf(blob, 8192)
  const der = await signatureIn(given, start)
  if (der) return { ...given, ...signatureKind(der) }
  const record = await recordIn(given, start)
  if (record) return { ...given, kind: 'record', record }
  if (startsWith(start, '%PDF-')) return { ...given, kind: 'pdf' }
  if (startsWith(start, 'PK\u0003\u0004') || startsWith(start, 'PK\u0005\u0006')) return readArchive(given)
  if (isEvidence(name, start)) return { ...given, kind: 'evidence' }
  if (looksLikeMail(name, start)) return { ...given, kind: 'mail' }
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
  const text = withoutMark(start)
  if (startsWith(text, '-----BEGIN ') || startsWith(text, 'MI') || isNamedSo) {
    if (blob.size > longestText) return null
    const bytes = await bytesOf(blob)
    const der = decoded(bytes)
    if (der && looksLikeCms(der)) return der
    if (isNamedSo) return der ?? bytes
  }
  return null
}

async function recordIn({ blob }: InputFile, start: Uint8Array): Promise<Uint8Array | null> {
  if (looksLikeAsn1Record(start) || looksLikeXmlRecord(start)) return bytesOf(blob)
  if (!startsWith(withoutMark(start), '-----BEGIN EVIDENCE RECORD-----')) return null
  return decoded(await bytesOf(blob))
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

/**
 * DER and bare base64 count as evidence only under a name of evidence, PEM by its label alone: a document must not pass
 * for something that needs no signature.
 */
function isEvidence(name: string, start: Uint8Array): boolean {
  const isDer = start[0] === 0x30 && start[1] !== undefined && start[1] >= 0x80
  if (isDer || startsWith(start, 'MI')) return evidenceNames.test(name)
  return ['CERTIFICATE', 'X509 CRL', 'OCSP RESPONSE'].some((label) =>
    startsWith(start, `-----BEGIN ${label}`),
  )
}

/** An office file is a document like any other. */
async function readArchive(given: InputFile): Promise<ReadFile> {
  try {
    const entries = await readZip(given.blob)
    const names = entries.map(({ name }) => name)
    if (names.includes(bundleFiles.manifest) && names.includes(bundleFiles.manifestSignature)) {
      return { ...given, kind: 'bundle', entries }
    }
    const isOffice = names.includes('[Content_Types].xml') || (await isOpenDocument(entries))
    return isOffice ? { ...given, kind: 'document' } : { ...given, kind: 'archive', entries }
  } catch (error) {
    if (error instanceof ContainerError) return { ...given, kind: 'unreadable', reason: error.reason }
    throw error
  }
}

/** Containers of the European form for signatures (ASiC) have such an entry, too. */
async function isOpenDocument([first]: readonly ZipEntry[]): Promise<boolean> {
  if (first?.name !== 'mimetype' || first.size > 200) return false
  let type = ''
  for await (const piece of first.pieces()) type += new TextDecoder().decode(piece)
  return !type.includes('vnd.etsi.asic')
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return text.split('').every((sign, i) => bytes[i] === sign.charCodeAt(0))
}
