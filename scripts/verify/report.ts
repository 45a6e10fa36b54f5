/** What the command prints: the engine's findings, judged. */
import { judge, worst, type Indication, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import type { NcaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { CertificateExamination } from '@kelisim/signature/examination/examine-certificate.ts'
import type { Examination, SignerExamination } from '@kelisim/signature/examination/examine.ts'

export type SignatureReport = Verdict & { signers: SignerReport[] }

export type SignerReport = {
  commonName: string | null
  iin: string | null
  bin: string | null
  role: string | null
  algorithm: string | null
  signingTime: string | null
  timestampTime: string | null
} & Verdict

export const exitCodes: Record<Indication, number> = {
  'TOTAL-PASSED': 0,
  'TOTAL-FAILED': 1,
  INDETERMINATE: 2,
}

export function signatureReport({ findings, signers }: Examination): SignatureReport {
  const answers = signers.map((signer) => signerReport(signer))
  return { ...worst([judge(findings), ...answers].map(verdictOnly)), signers: answers }
}

/** Null: the signer could not be read. */
export function signerReport(signer: SignerExamination | null): SignerReport {
  return {
    ...person(signer?.owner ?? null),
    algorithm: signer?.algorithm ?? null,
    signingTime: signer?.signingTime?.toISOString() ?? null,
    timestampTime: signer?.timestampTime?.toISOString() ?? null,
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
