/**
 * The signatures inside a PDF: each is examined over the bytes that it covers, and whatever was added to the file
 * after it is compared with what was signed. No content of the bytes makes it throw: what cannot be read is a
 * finding.
 */
import { next, MalformedError, type Cursor } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { readSignedData } from '../cms/signed-data.ts'
import { examineSignature, type Examination } from '../examination/examine.ts'
import type { Setting } from '../examination/policy.ts'
import { examineTimestamp, type TimestampExamination } from '../examination/timestamps.ts'
import { startWork } from '../examination/work.ts'
import type { Finding } from '../findings/findings.ts'
import { changesBetween } from './changes.ts'
import type { ChangeKind } from './comparing.ts'
import { coverageOf, type Coverage } from './coverage.ts'
import { EncryptedError, isCleanAddition, openPdf, viewOf, type PdfDocument } from './document.ts'
import { isAllowed, permissionsOf } from './permissions.ts'
import { securityStoreOf } from './security-store.ts'
import { findSignatures, type FoundSignature } from './signature-fields.ts'
import { PdfError } from './values.ts'

export type PdfExamination = {
  /** Findings about the file, which concern every signature. */
  findings: Finding[]
  /** The oldest signature first. */
  signatures: PdfSignature[]
}

export const pdfFormats = ['PKCS7', 'PAdES', 'document-timestamp', 'unknown'] as const
export type PdfFormat = (typeof pdfFormats)[number]

export type PdfSignature = {
  /** The name of the signature's field. */
  field: string
  format: PdfFormat
  /** Null: the signature does not cover a revision of the file. */
  covers: { revision: number; of: number; isWhole: boolean; to: number } | null
  changesAfter: ChangeKind[]
  /** Has no signers for a document timestamp, which only proves a time. */
  examination: Examination
  timestamp: TimestampExamination | null
}

const formats: ReadonlyMap<string, PdfFormat> = new Map([
  ['adbe.pkcs7.detached', 'PKCS7'],
  ['ETSI.CAdES.detached', 'PAdES'],
  ['ETSI.RFC3161', 'document-timestamp'],
])

const mostSignatures = 100

/** Null: the file has no signatures, so there is nothing to examine. */
export async function examinePdf(bytes: Uint8Array, setting: Setting): Promise<PdfExamination | null> {
  try {
    const document = await openPdf(bytes)
    const found = await findSignatures(document)
    if (found.length > mostSignatures) return { findings: ['too-much'], signatures: [] }
    if (found.length === 0) return null
    return { findings: [], signatures: await examineAll(document, found, setting) }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    // A file that cannot be read must not be called unsigned if it may be signed.
    if (!mayBeSigned(bytes)) return null
    return { findings: [error instanceof EncryptedError ? 'pdf-encrypted' : 'pdf-damaged'], signatures: [] }
  }
}

/** Signatures are in the file itself, never in a compressed stream. */
export function mayBeSigned(bytes: Uint8Array): boolean {
  const wanted = Array.from('/ByteRange', (character) => character.charCodeAt(0))
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return true
  }
  return false
}

/**
 * Examines the newest signature of a file that was just signed: it has to be a PAdES signature over everything before
 * it. Earlier signatures are not examined again, but they must be there as they were signed.
 */
export async function examineNewest(bytes: Uint8Array, setting: Setting): Promise<Examination> {
  const { findings, newest } = await openNewest(bytes)
  if (!newest) return { findings, signers: [] }
  const examination = await examineOne(newest.field, newest.coverage, null, setting)
  if (hasContent(signatureIn(newest.field))) findings.push('not-a-document')
  return { ...examination, findings: [...findings, ...examination.findings] }
}

/** The findings about how the newest signature is embedded in the file, whatever the signature itself proves. */
export async function faultsOfNewest(bytes: Uint8Array): Promise<Finding[]> {
  return (await openNewest(bytes)).findings
}

/** Whether anything but signatures and their evidence was added to a PDF that had this length. */
export async function changesSinceLength(bytes: Uint8Array, length: number): Promise<Finding[]> {
  try {
    const document = await openPdf(bytes)
    const last = document.revisions.length - 1
    const before = document.revisions.findLastIndex(({ to }) => to <= length)
    const areClean = document.revisions.every((_, i) => i <= before || isCleanAddition(document, i))
    if (before < 0 || !areClean) return ['changed-after-signing']
    const { kinds } = changesBetween(await viewOf(document, before), await viewOf(document, last))
    return [...kinds].every((kind) => kind === 'signatures' || kind === 'evidence')
      ? []
      : ['changed-after-signing']
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return ['pdf-damaged']
  }
}

/** Whether a signature of the file covers everything up to `end` except its own digits between `from` and `to`. */
export async function hasSignatureOver(
  bytes: Uint8Array,
  { from, to, end }: { from: number; to: number; end: number },
): Promise<boolean> {
  try {
    const document = await openPdf(bytes)
    const found = await findSignatures(document)
    return found.some((field) => {
      const coverage = coverageOf(document, field)
      return coverage?.to === end && field.contents?.from === from && field.contents.to === to
    })
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return false
  }
}

type Newest = { field: FoundSignature; coverage: Coverage }

async function openNewest(bytes: Uint8Array): Promise<{ findings: Finding[]; newest: Newest | null }> {
  try {
    const document = await openPdf(bytes)
    const found = await findSignatures(document)
    if (found.length > mostSignatures) return { findings: ['too-much'], newest: null }
    const field = found.at(-1)
    const coverage = field ? coverageOf(document, field) : null
    if (!field || !coverage?.isWhole || field.form !== 'ETSI.CAdES.detached')
      return { findings: ['range-wrong'], newest: null }
    const findings = new Set<Finding>()
    for (const earlier of found.slice(0, -1)) {
      const changes = await changesSince(document, earlier, coverageOf(document, earlier))
      for (const finding of changes.findings) findings.add(finding)
    }
    return { findings: [...findings], newest: { field, coverage } }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error
    return { findings: ['pdf-damaged'], newest: null }
  }
}

/** Whether a document is inside the signature; in a PDF it must be around it (ISO 32000-2, 12.8.3.3). */
function hasContent(signature: Uint8Array | null): boolean {
  try {
    return signature !== null && readSignedData(signature).content !== null
  } catch (error) {
    if (error instanceof MalformedError) return false
    throw error
  }
}

async function examineAll(
  document: PdfDocument,
  found: readonly FoundSignature[],
  setting: Setting,
): Promise<PdfSignature[]> {
  const newest = await viewOf(document, document.revisions.length - 1)
  const store = await securityStoreOf(newest)
  const withStore: Setting = {
    ...setting,
    trust: { ...setting.trust, others: [...setting.trust.others, ...store.certificates] },
    brought: store,
  }
  const covered = found.map((field) => ({ field, coverage: coverageOf(document, field) }))
  const stamps = new Map<FoundSignature, TimestampExamination>()
  for (const { field, coverage } of covered) {
    if (field.form !== 'ETSI.RFC3161' || !coverage) continue
    const token = signatureIn(field)
    const { others } = withStore.trust
    const work = startWork(withStore)
    stamps.set(
      field,
      token
        ? await examineTimestamp(token, joined(coverage.parts), others, work)
        : { time: null, path: [], root: null, revocation: [], findings: ['timestamp-damaged'] },
    )
  }
  const signatures: PdfSignature[] = []
  for (const { field, coverage } of covered) {
    const later = covered.flatMap((other) => {
      const stamp = stamps.get(other.field)
      const isLater = coverage && other.coverage && other.coverage.revision > coverage.revision
      return isLater && stamp?.time && stamp.findings.length === 0 ? [stamp.time] : []
    })
    const proofs = setting.provedAt ? [...later, setting.provedAt] : later
    const provedAt = proofs.toSorted((one, other) => Number(one) - Number(other))[0]
    const examined = await examineOne(field, coverage, stamps.get(field) ?? null, {
      ...withStore,
      ...(provedAt && { provedAt }),
    })
    const { changes, findings } = await changesSince(document, field, coverage)
    examined.findings.push(...findings)
    signatures.push({
      field: field.name,
      format: formats.get(field.form ?? '') ?? 'unknown',
      covers: coverage && {
        revision: coverage.revision + 1,
        of: document.revisions.length,
        isWhole: coverage.isWhole,
        to: coverage.to,
      },
      changesAfter: changes,
      examination: examined,
      timestamp: stamps.get(field) ?? null,
    })
  }
  return signatures
}

async function examineOne(
  field: FoundSignature,
  coverage: Coverage | null,
  stamp: TimestampExamination | null,
  setting: Setting,
): Promise<Examination> {
  const format = formats.get(field.form ?? '') ?? 'unknown'
  if (format === 'unknown') return { findings: ['pdf-form-unknown'], signers: [] }
  if (!coverage) return { findings: ['range-wrong'], signers: [] }
  if (stamp) return { findings: [...stamp.findings], signers: [] }
  const signature = signatureIn(field)
  if (!signature) return { findings: ['range-wrong'], signers: [] }
  const examination = await examineSignature(signature, coverage.parts, setting)
  return { ...examination, findings: [...examination.findings] }
}

/**
 * The signature without the zeros that fill up its place; null if anything else follows it, which no signature would
 * cover.
 */
function signatureIn({ contents }: FoundSignature): Uint8Array | null {
  if (!contents) return null
  const cursor: Cursor = { bytes: contents.text, at: 0, encoding: 'ber', depth: 0 }
  try {
    const { whole } = next(cursor)
    return contents.text.subarray(cursor.at).every((byte) => byte === 0) ? whole : null
  } catch (error) {
    if (error instanceof MalformedError) return contents.text
    throw error
  }
}

async function changesSince(
  document: PdfDocument,
  field: FoundSignature,
  coverage: Coverage | null,
): Promise<{ changes: ChangeKind[]; findings: Finding[] }> {
  if (field.isRemoved) return { changes: ['content'], findings: ['changed-after-signing'] }
  const newest = document.revisions.length - 1
  if (!coverage || coverage.isWhole) return { changes: [], findings: [] }
  const isClean = document.revisions.every((_, i) => i <= coverage.revision || isCleanAddition(document, i))
  const hasMore = coverage.revision === newest
  if (!isClean || hasMore) return { changes: ['content'], findings: ['changed-after-signing'] }
  const before = await viewOf(document, coverage.revision)
  const changes = changesBetween(before, await viewOf(document, newest))
  const allowed = isAllowed(changes, permissionsOf(field.dict, before))
  return { changes: [...changes.kinds], findings: allowed ? [] : ['changed-after-signing'] }
}
