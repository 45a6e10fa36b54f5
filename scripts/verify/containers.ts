/** What the command prints of a container, or of several files: one verdict a signature, and what no signature covers. */
import { verdictOf, worst, type Fault, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import type { ExaminedGroup, ExaminedSignature } from '@kelisim/signature/container/group.ts'
import { judgedRecord, type RecordReport } from './record-report.ts'
import { bundleReport, type BundleReport } from './bundle-report.ts'
import {
  placedReports,
  signersAt,
  verdictOnly,
  xmlPlace,
  type PlacedSignerReport,
  type SignatureReport,
} from './report.ts'

export type ContainerReport = SignatureReport & {
  /** Files that no signature covers, the pages of a document card and scans of one among them. */
  notCovered: string[]
  /** The reports of evidence bundles in it. */
  bundles?: BundleReport[]
  /** The reports of evidence records in it. */
  records?: RecordReport[]
}

export type FileSignerReport = PlacedSignerReport & {
  /** The file of the signature, with its folders. */
  file: string
  /** The document that the signature was compared with. */
  document: string | null
}

const faultOf = {
  empty: 'damaged',
  damaged: 'damaged',
  'unsafe-name': 'damaged',
  'too-much': 'too-much',
  'codes-missing': 'damaged',
  'no-document': null,
  document: null,
} as const satisfies Record<NonNullable<ExaminedGroup['trouble']>, Fault | null>

export function containerReport(groups: readonly ExaminedGroup[]): ContainerReport {
  const signers = groups.flatMap(({ signatures }) => signatures.flatMap(signerReports))
  const bundles = groups.flatMap(({ bundle }) => (bundle ? [bundleReport(bundle)] : []))
  const records = groups.flatMap(({ record }) => (record ? [judgedRecord(record)] : []))
  const troubles = groups.flatMap(({ trouble }) => (trouble && faultOf[trouble]) ?? [])
  const verdicts: Verdict[] = [...signers, ...bundles, ...records, ...troubles.map(verdictOf)].map(
    verdictOnly,
  )
  const unsigned = groups.filter(({ trouble }) => trouble === 'document')
  // The pages of a card only surround the signed document, as its maker states, and no signature could cover them.
  const inside = groups.flatMap(({ kind, documents: [one] }) => (kind === 'pdf' && one ? [one.blob] : []))
  const pages = groups.flatMap(({ within, envelope }) =>
    within?.kind === 'card' && envelope && !inside.includes(within.blob) ? [within.name] : [],
  )
  const others = groups.flatMap(({ attachments }) =>
    attachments.filter(({ role }) => role === 'other').map(({ name }) => name),
  )
  const documents = [...unsigned.map(({ documents: [one] }) => one!.name), ...others]
  if (verdicts.length === 0) verdicts.push(verdictOf('not-a-signature'))
  else if (documents.length > 0) verdicts.push(verdictOf('document-not-signed'))
  return {
    ...worst(verdicts),
    signers,
    notCovered: [...new Set([...documents, ...pages, ...groups.flatMap(({ sheets }) => sheets)])],
    ...(bundles.length > 0 && { bundles }),
    ...(records.length > 0 && { records }),
  }
}

function signerReports(signature: ExaminedSignature): FileSignerReport[] {
  const { path: file, document, examination, inPdf, inXml } = signature
  const place = { file, document }
  if (inPdf) return placedReports(inPdf).map((one) => ({ ...one, ...place }))
  const reports = inXml
    ? signersAt(xmlPlace(inXml), examination, null)
    : signersAt(
        { format: 'CMS', covers: document === null ? 'nothing' : 'whole-file', changesAfter: [] },
        examination,
        null,
      )
  return reports.map((one) => ({ ...one, ...place }))
}

/** A file that holds nothing but one bundle is reported as `--bundle` does. */
export function onlyBundle(groups: readonly ExaminedGroup[]): BundleReport | null {
  const [one, ...more] = groups
  return one?.bundle && more.length === 0 ? bundleReport(one.bundle) : null
}
