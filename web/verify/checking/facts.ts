/** The facts that the engine found about a signer, as plain values. */
import { fullNameOf } from '@kelisim/domain/signatures/owner.ts'
import { judge, worst, type Verdict } from '@kelisim/domain/signatures/verdict.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import { readPolicies } from '@kelisim/signature/certificates/policies.ts'
import type { Examination, SignerExamination } from '@kelisim/signature/examination/examine.ts'
import type { RevocationFact } from '@kelisim/signature/examination/revocation.ts'
import { trustBasis } from '@kelisim/signature/examination/trust-basis.ts'
import type { RecordExamination } from '@kelisim/signature/evidence-records/examine.ts'
import type {
  CertificateFacts,
  RecordFacts,
  RevocationFacts,
  SignatureReport,
  SignerReport,
} from './report.ts'

export function signatureReport(
  { findings, signers }: Examination,
  place: Pick<SignatureReport, 'fileName' | 'document'>,
): SignatureReport {
  const reports = signers.map(signerReport)
  return {
    ...place,
    verdict: worst([judge(findings), ...reports.map(({ verdict }) => verdict)]),
    faults: findings,
    signers: reports,
  }
}

export function signerReport(signer: SignerExamination): SignerReport {
  const { certificate, owner, path, revocation, timestamps, findings } = signer
  const verdict: Verdict = judge(findings)
  const name = owner && fullNameOf(owner)
  return {
    verdict,
    faults: findings,
    name: name === '' ? null : name,
    iin: owner?.iin ?? null,
    organization: owner?.organization ?? null,
    bin: owner?.bin ?? null,
    roles: owner?.roles ?? [],
    algorithm: signer.algorithm,
    signingTime: signer.signingTime,
    provedTime: signer.timestampTime,
    provedBy: signer.timestampTime && 'timestamp',
    certificate: certificate && certificateFacts(certificate),
    trust: trustBasis(signer),
    chain: path.map(({ subject }) => readable(() => nameText(subject)) ?? ''),
    revocation: revocation[0] ? revocationFacts(revocation[0]) : null,
    timestamps: timestamps.map((timestamp) => ({
      time: timestamp.time,
      service: serviceOf(timestamp.path),
      isGood: timestamp.findings.length === 0,
    })),
  }
}

export function recordFacts(record: RecordExamination): RecordFacts {
  return {
    existedAt: record.existedAt,
    holdsUntil: record.holdsUntil,
    others: record.others,
    timestamps: record.timestamps.map(({ time, path, hash, findings }) => ({
      time,
      service: serviceOf(path),
      hash,
      isGood: findings.length === 0,
    })),
    faults: record.findings,
  }
}

/** The name of a timestamp service. */
function serviceOf([certificate]: readonly Certificate[]): string | null {
  return certificate ? readable(() => nameText(certificate.subject)) : null
}

function certificateFacts(certificate: Certificate): CertificateFacts {
  const { subject, issuer, serial, notBefore, notAfter, keyUsage, extendedKeyUsage } = certificate
  return {
    subject: readable(() => nameText(subject)) ?? '',
    issuer: readable(() => nameText(issuer)) ?? '',
    serialNumber: toHex(serial),
    validFrom: notBefore,
    validTo: notAfter,
    policies: [...(readable(() => readPolicies(certificate)) ?? [])],
    keyUsage: [...(keyUsage ?? []), ...(extendedKeyUsage ?? [])],
  }
}

function revocationFacts({ status, by, asOf, revokedAt }: RevocationFact): RevocationFacts {
  return { status, by: by && ('entries' in by ? 'crl' : 'ocsp'), at: asOf, revokedAt }
}

function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}
