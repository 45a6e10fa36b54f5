/** Examines a certificate alone: its path to a root, and whether any certificate on that path is revoked. */
import { algorithmName } from '../algorithms/names.ts'
import { MalformedError } from '../asn1/read.ts'
import { signatureAlgorithmOf } from '../certificates/algorithm-identifier.ts'
import { readableCertificate, type Certificate } from '../certificates/certificate.ts'
import type { NcaProfile } from '../certificates/nca-profile.ts'
import { findPath } from '../certificates/path.ts'
import type { PolicyDemands } from '../certificates/policies.ts'
import { ExcessError } from '../cms/signed-data.ts'
import { ownerOf } from './certificates.ts'
import { pathFinding, revocationDemands } from './examine.ts'
import type { Finding } from '../findings/findings.ts'
import type { Setting } from './policy.ts'
import { chainRevocation, type RevocationFact } from './revocation.ts'
import { startWork } from './work.ts'

export type CertificateExamination = {
  certificate: Certificate | null
  owner: NcaProfile | null
  /** The algorithm of the issuer's signature. */
  algorithm: string | null
  path: readonly Certificate[]
  /** The trusted root to which the chain leads; null: it leads to none. */
  root: Certificate | null
  revocation: RevocationFact[]
  findings: Finding[]
}

export async function examineCertificate(
  der: Uint8Array,
  setting: Setting,
  policies: PolicyDemands = {},
): Promise<CertificateExamination> {
  const certificate = readableCertificate(der)
  const examination: CertificateExamination = {
    certificate,
    owner: certificate && ownerOf(certificate),
    algorithm: null,
    path: [],
    root: null,
    revocation: [],
    findings: [],
  }
  if (!examination.owner) examination.findings.push('certificate-damaged')
  if (!certificate) return examination
  try {
    await examine(examination, certificate, setting, policies)
  } catch (error) {
    if (!(error instanceof MalformedError)) throw error
    examination.findings.push(error instanceof ExcessError ? 'too-much' : 'certificate-damaged')
  }
  return examination
}

async function examine(
  examination: CertificateExamination,
  certificate: Certificate,
  setting: Setting,
  policies: PolicyDemands,
): Promise<void> {
  const work = startWork(setting)
  const { roots, others } = work.trust
  const found = await findPath(certificate, { roots, others, at: work.at, policies, check: work.check })
  const algorithm = signatureAlgorithmOf(certificate.signatureAlgorithm)
  examination.algorithm = algorithm && algorithmName(algorithm, found.path[1]?.publicKey.key ?? null)
  examination.path = found.path
  if (!found.ok) {
    examination.findings.push(pathFinding(found))
    return
  }
  examination.root = found.path.at(-1)!
  const nothing = { crls: [], ocsp: [] }
  const now = { existedAt: work.at, neededFor: work.at }
  const revocation = await chainRevocation(found.path, nothing, now, work, revocationDemands(work.policy))
  examination.revocation = revocation.facts
  examination.findings.push(...revocation.findings)
}
