/**
 * Checks whatever files somebody dropped: the engine finds out which files belong together and examines them; this
 * file judges the findings and prepares them for display. The trusted roots, the questions about revocation and the
 * reader of files embedded in a PDF are dependencies.
 */
import { judge } from '@kelisim/domain/signatures/verdict.ts'
import type { AttachmentReader } from '@kelisim/signature/container/collect.ts'
import { examineFiles } from '@kelisim/signature/container/examine-files.ts'
import type {
  ExaminedGroup,
  ExaminedSignature,
  HashedFile,
  Progress,
} from '@kelisim/signature/container/group.ts'
import type { InputFile } from '@kelisim/signature/container/input-file.ts'
import type { CodeReader } from '@kelisim/signature/container/collect-paper.ts'
import { filePolicy, type Trust } from '@kelisim/signature/examination/policy.ts'
import { timestampBasis } from '@kelisim/signature/examination/trust-basis.ts'
import type { PdfSignature } from '@kelisim/signature/pdf/examine-pdf.ts'
import { clockAllowance } from '@kelisim/signature/time/durations.ts'
import { bundleGroup } from './bundle.ts'
import { recordFacts, signatureReport } from './facts.ts'
import type { LogKeys } from './log-keys.ts'
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
import { shown } from './shown.ts'

export type CheckDependencies = {
  trust: Trust
  isDemo: boolean
  /** The keys of our own log, to recognise our bundles. */
  logKeys: LogKeys
  askRevocation: AskRevocation
  attachmentsOf: AttachmentReader
  codesIn?: CodeReader
  at: Date
  onProgress: (progress: Progress) => void
}

export async function checkFiles(
  given: readonly InputFile[],
  dependencies: CheckDependencies,
): Promise<Report> {
  const { at, isDemo, trust, logKeys, attachmentsOf, onProgress } = dependencies
  const examined = await examineFiles(given, {
    setting: {
      trust,
      evidence: evidenceFrom(dependencies.askRevocation),
      policy: filePolicy,
      at,
      clockAllowance,
    },
    logKeys: logKeys.keys.map(({ spki }) => spki),
    witnesses: logKeys.witnesses,
    attachmentsOf,
    ...(dependencies.codesIn && { codesIn: dependencies.codesIn }),
    onProgress,
  })
  return { at, isDemo, groups: examined.map((group) => shown(groupOf(group, logKeys))) }
}

function groupOf(examined: ExaminedGroup, logKeys: LogKeys): Group {
  const { envelope, documents } = examined
  const kind = kindOf(examined)
  const place = {
    kind,
    container: envelope && fileFacts(envelope),
    documents: documents.map(fileFacts),
  }
  if (examined.bundle) return { ...bundleGroup(examined.bundle, logKeys), ...place }
  if (examined.record) {
    const outcome = outcomeOf(judge(examined.record.findings))
    return {
      ...place,
      outcome,
      signatures: [],
      bundle: null,
      record: recordFacts(examined.record),
      trouble: null,
    }
  }
  const trouble = troubleOf(examined)
  const signatures = examined.signatures.map(reportOf)
  const outcome =
    signatures.length > 0
      ? worstOutcome(signatures.map(({ verdict }) => outcomeOf(verdict)))
      : trouble === 'document' || trouble === 'docx'
        ? 'unsigned'
        : 'unreadable'
  const isSigned = outcome === 'valid'
  const attachments = examined.attachments.map(({ name, role }) => ({
    name,
    state: attachmentState(role, isSigned),
  }))
  return {
    ...place,
    // The pages of a card can be changed without touching what was signed, so a card is never simply valid.
    outcome: isSigned && kind === 'card' ? 'inside' : outcome,
    signatures,
    bundle: null,
    trouble,
    ...(attachments.length > 0 && { attachments }),
    ...(examined.sheets.length > 0 && { sheets: examined.sheets }),
    ...(examined.links.length > 0 && { links: [...new Set(examined.links)] }),
  }
}

/** The container of the files decides which warnings apply to them. */
function kindOf({ kind, within }: ExaminedGroup): Group['kind'] {
  if (kind === 'bundle' || kind === 'record' || !within) return kind
  // A card even if the embedded document contains its signatures itself: the pages around it are still unsigned.
  return within.kind === 'card' ? 'card' : 'set'
}

function attachmentState(
  role: ExaminedGroup['attachments'][number]['role'],
  isSigned: boolean,
): NonNullable<Group['attachments']>[number]['state'] {
  if (role === 'signature') return 'signature'
  return role === 'document' && isSigned ? 'signed' : 'unsigned'
}

function troubleOf({ trouble, documents }: ExaminedGroup): Trouble | null {
  const isOffice = /\.(docx?|xlsx?|odt|ods|rtf)$/i.test(documents[0]?.name ?? '')
  return trouble === 'document' && isOffice ? 'docx' : trouble
}

function reportOf(signature: ExaminedSignature): SignatureReport {
  const { examination, fileName, document, alsoIn, inPdf, inXml } = signature
  return {
    ...signatureReport(examination, { fileName, document }),
    ...(alsoIn.length > 0 && { alsoIn }),
    ...(inPdf && { inPdf: pdfFacts(inPdf, signature) }),
    ...(inXml && {
      inXml: {
        elements: inXml.isWhole ? [] : inXml.covers,
        signed: inXml.signed.length > 0 ? new Blob(inXml.signed, { type: 'application/xml' }) : null,
      },
    }),
  }
}

function pdfFacts(
  { format, covers, changesAfter, timestamp }: PdfSignature,
  { file }: ExaminedSignature,
): PdfFacts {
  return {
    format,
    covers,
    changesAfter,
    signedVersion: covers && !covers.isWhole ? file.slice(0, covers.to, 'application/pdf') : null,
    timestampTime: timestamp?.time ?? null,
    timestampTrust: timestamp && timestampBasis(timestamp),
  }
}

function fileFacts({ name, blob, sha256, isInside }: HashedFile): FileFacts {
  return { name, size: blob.size, sha256, inside: isInside ? blob : null }
}
