/**
 * The interface of the package `@kelisim/signature`. The product's command and the check page judge by the same code.
 */
import { allDerOf, derIn } from '@kelisim/signature/asn1/pem.ts'
import { readCertificate, type Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { evidenceAtHand, filePolicy, type Setting } from '@kelisim/signature/examination/policy.ts'
import { readCrl } from '@kelisim/signature/revocation/crl.ts'
import { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import type { BundleReport } from '../verify/bundle-report.ts'
import type { NamedBytes } from '../verify/files.ts'
import { reportOf } from '../verify/judge-files.ts'
import type { SignatureReport } from '../verify/report.ts'

export type VerifyOptions = {
  /** The trusted certificates, as DER or PEM; no other certificate is trusted. */
  roots: readonly Uint8Array[]
  /** Certificates that may complete the path to a root. */
  certs?: readonly Uint8Array[]
  /** Certificate revocation lists, and responses of OCSP services. */
  crls?: readonly Uint8Array[]
  ocsp?: readonly Uint8Array[]
  /** The time of the check; now, unless it is given. */
  at?: Date
  /** A document that must be among the signed ones. */
  content?: NamedBytes
  /** False: it is not checked whether certificates were revoked. */
  isRevocationChecked?: boolean
  /** Public keys of logs, for evidence bundles. */
  logKeys?: readonly Uint8Array[]
}

/** Judges files that belong together: signatures, signed PDFs and XML, archives, e-mails, in any order. */
export async function verify(
  files: readonly NamedBytes[],
  options: VerifyOptions,
): Promise<SignatureReport | BundleReport> {
  const setting: Setting = {
    trust: { roots: certificatesIn(options.roots), others: certificatesIn(options.certs ?? []) },
    evidence: evidenceAtHand({
      crls: (options.crls ?? []).flatMap((bytes) => allDerOf(bytes).map(readCrl)),
      ocsp: (options.ocsp ?? []).flatMap((bytes) => readOcspResponse(derIn(bytes)).basic ?? []),
    }),
    policy: { ...filePolicy, revocation: options.isRevocationChecked === false ? 'none' : 'any' },
    at: options.at ?? new Date(),
  }
  return reportOf(files, options.content ?? null, {
    setting,
    logKeys: (options.logKeys ?? []).map(derIn),
  })
}

function certificatesIn(files: readonly Uint8Array[]): Certificate[] {
  return files.flatMap((bytes) => allDerOf(bytes).map(readCertificate))
}

export { judge, verdictOf, worst } from '@kelisim/domain/signatures/verdict.ts'
export type { Fault, FaultCode, Indication, Verdict } from '@kelisim/domain/signatures/verdict.ts'
export { MalformedError } from '@kelisim/signature/asn1/read.ts'
export { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
export type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
export { checkBundle } from '@kelisim/signature/bundle/check-bundle.ts'
export { examineFiles } from '@kelisim/signature/container/examine-files.ts'
export type { ExaminedGroup, ExaminedSignature } from '@kelisim/signature/container/group.ts'
export { examineSignature } from '@kelisim/signature/examination/examine.ts'
export type { Examination, SignerExamination } from '@kelisim/signature/examination/examine.ts'
export { defaultPolicy, evidenceAtHand, filePolicy } from '@kelisim/signature/examination/policy.ts'
export type { EvidenceSource, Policy, Setting, Trust } from '@kelisim/signature/examination/policy.ts'
export { timestampBasis, trustBasis } from '@kelisim/signature/examination/trust-basis.ts'
export type {
  RevocationBasis,
  TimestampBasis,
  TrustBasis,
} from '@kelisim/signature/examination/trust-basis.ts'
export { examinePdf } from '@kelisim/signature/pdf/examine-pdf.ts'
export { readCrl } from '@kelisim/signature/revocation/crl.ts'
export { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
export { examineXml } from '@kelisim/signature/xml/examine-xml.ts'
export type { BundleReport, NamedBytes, SignatureReport }
export type { SignerReport, PlacedSignerReport } from '../verify/report.ts'
export type { ContainerReport, FileSignerReport } from '../verify/containers.ts'
