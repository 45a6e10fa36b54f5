/** What the command prints: the findings of the engine with verdicts. */
import { judge, worst, type Indication, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import type { NcaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { CertificateExamination } from '@kelisim/signature/examination/examine-certificate.ts'
import type { Examination, SignerExamination } from '@kelisim/signature/examination/examine.ts'
import {
  timestampBasis,
  trustBasis,
  type TimestampBasis,
  type TrustBasis,
} from '@kelisim/signature/examination/trust-basis.ts'
import type { PdfExamination, PdfSignature } from '@kelisim/signature/pdf/examine-pdf.ts'
import type { XmlExamination, XmlSignatureExamination } from '@kelisim/signature/xml/examine-xml.ts'

export type SignatureReport = Verdict & { signers: SignerReport[] }

export type SignerReport = {
  commonName: string | null
  iin: string | null
  bin: string | null
  role: string | null
  algorithm: string | null
  signingTime: string | null
  timestampTime: string | null
  /** Why the certificate is trusted; null: there is none. */
  trust: TrustBasis | null
} & Verdict

/** A signature inside of a document: what it covers, and what came after it. */
export type PlacedSignerReport = SignerReport & {
  format: PdfSignature['format'] | XmlSignatureExamination['format'] | 'CMS'
  covers: 'whole-file' | 'revision' | 'elements' | 'nothing'
  changesAfter: PdfSignature['changesAfter']
  /** Only for a PDF. */
  field?: string
  /** Only for a timestamp over the whole document: why it is trusted; null: it is not valid. */
  timestamp?: TimestampBasis | null
  revision?: number | null
  revisions?: number | null
  /** Only for XML: the paths of the covered elements. */
  elements?: string[]
}

export const exitCodes: Record<Indication, number> = {
  'TOTAL-PASSED': 0,
  'TOTAL-FAILED': 1,
  INDETERMINATE: 2,
}

export function signatureReport({ findings, signers }: Examination): SignatureReport {
  const answers = signers.map((signer) => signerReport(signer))
  return { ...worst([judge(findings), ...answers].map(verdictOnly)), signers: answers }
}

/** Null: there is no signature in the PDF. */
export function pdfReport(examination: PdfExamination | null): SignatureReport {
  if (!examination) return { ...judge(['not-a-signature']), signers: [] }
  const signers = examination.signatures.flatMap(placedReports)
  return { ...worst([judge(examination.findings), ...signers].map(verdictOnly)), signers }
}

export function placedReports(signature: PdfSignature): PlacedSignerReport[] {
  const { format, field, covers, changesAfter, examination, timestamp } = signature
  const place = {
    format,
    field,
    covers: covers ? (covers.isWhole ? 'whole-file' : 'revision') : 'nothing',
    revision: covers?.revision ?? null,
    revisions: covers?.of ?? null,
    changesAfter,
    ...(timestamp && { timestamp: timestampBasis(timestamp) }),
  } as const
  return signersAt(place, examination, timestamp?.time ?? null)
}

/** Null: there is no signature in the XML. */
export function xmlReport(examination: XmlExamination | null): SignatureReport {
  if (!examination) return { ...judge(['not-a-signature']), signers: [] }
  const signers = examination.signatures.flatMap((signature) =>
    signersAt(xmlPlace(signature), signature.examination, null),
  )
  return { ...worst([judge(examination.findings), ...signers].map(verdictOnly)), signers }
}

export function xmlPlace({ format, covers, isWhole }: XmlSignatureExamination): SignerPlacement {
  return {
    format,
    covers: isWhole ? 'whole-file' : covers.length > 0 ? 'elements' : 'nothing',
    elements: covers,
    // Nothing can be added to the signed elements without changing them.
    changesAfter: [],
  }
}

type SignerPlacement = Omit<PlacedSignerReport, keyof SignerReport>

export function signersAt(
  place: SignerPlacement,
  { signers, findings }: Examination,
  stampedAt: Date | null,
): PlacedSignerReport[] {
  const own = judge(findings)
  // An unreadable signature, and a timestamp, have no signer but still a verdict.
  if (signers.length === 0) {
    const timestampTime = stampedAt?.toISOString() ?? null
    return [{ ...signerReport(null), timestampTime, ...own, ...place }]
  }
  return signers.map((signer) => {
    const report = signerReport(signer)
    return { ...report, ...worst([own, verdictOnly(report)]), ...place }
  })
}

/** Null: the signer could not be read. */
export function signerReport(signer: SignerExamination | null): SignerReport {
  return {
    ...person(signer?.owner ?? null),
    algorithm: signer?.algorithm ?? null,
    signingTime: signer?.signingTime?.toISOString() ?? null,
    timestampTime: signer?.timestampTime?.toISOString() ?? null,
    trust: signer && trustBasis(signer),
    ...judge(signer?.findings ?? []),
  }
}

export function certificateReport(examination: CertificateExamination): SignatureReport {
  const verdict = judge(examination.findings)
  const signer: SignerReport = {
    ...person(examination.owner),
    algorithm: examination.algorithm,
    signingTime: null,
    timestampTime: null,
    trust: trustBasis(examination),
    ...verdict,
  }
  return { ...verdict, signers: examination.certificate ? [signer] : [] }
}

function person(owner: NcaProfile | null) {
  if (!owner) return { commonName: null, iin: null, bin: null, role: null }
  const { commonName, iin, bin, roles } = owner
  // a head of a legal entity also has the role of a legal entity
  const role = roles.find((one) => one !== 'legal-entity') ?? roles[0] ?? null
  return { commonName, iin, bin, role }
}

export function verdictOnly({ verdict, subIndication, code }: Verdict): Verdict {
  return { verdict, subIndication, code }
}
