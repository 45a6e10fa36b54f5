/**
 * Why a signature is trusted, or not, in plain values: the root that its chain leads to, the role and the policies
 * that the certificate states, what is known of revocation and from whom, and the timestamps that prove when it
 * existed.
 */
import { hash } from '../algorithms/hash.ts'
import { MalformedError } from '../asn1/read.ts'
import { toHex } from '../asn1/values.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { nameOids, nameText, textsIn } from '../certificates/names.ts'
import { roleNamed, type NcaRole } from '../certificates/nca-profile.ts'
import { readPolicies } from '../certificates/policies.ts'
import type { SignerExamination } from './examine.ts'
import type { RevocationFact } from './revocation.ts'
import type { TimestampExamination } from './timestamps.ts'

export type TrustBasis = {
  /** Null: the chain leads to no trusted root. */
  root: { name: string; sha256: string } | null
  /** As the signer's certificate states them, with their object identifiers. */
  roles: { role: NcaRole; oid: string }[]
  policies: string[]
  /** One entry for each certificate below the root, the signer's first. */
  revocation: RevocationBasis[]
  /** Only timestamps that prove the time. */
  timestamps: TimestampBasis[]
}

export type TimestampBasis = {
  time: Date
  service: string
  /** The trusted root that the service's chain leads to. */
  root: string
  /** One entry for each certificate below that root, the service's first. */
  revocation: RevocationBasis[]
}

export type RevocationBasis = {
  certificate: string
  status: RevocationFact['status']
  revokedAt: Date | null
  /** Null: there is no evidence that counts. */
  by: 'ocsp' | 'crl' | null
  /** Who states the revocation status, and for what time. */
  of: string | null
  at: Date | null
}

type Examined = Pick<SignerExamination, 'certificate' | 'root' | 'revocation'> &
  Partial<Pick<SignerExamination, 'timestamps' | 'archiveTimestamps'>>

/** Null: there is no certificate to trust. */
export function trustBasis(examined: Examined): TrustBasis | null {
  const { certificate, root, revocation, timestamps = [], archiveTimestamps = [] } = examined
  if (!certificate) return null
  // An archive timestamp over an empty content instead of the document proves nothing about it.
  const ofDocument = archiveTimestamps.filter(({ covers }) => covers === 'document')
  return {
    root: root && { name: shortName(root.subject), sha256: toHex(hash('sha-256', root.der)) },
    roles: (certificate.extendedKeyUsage ?? []).flatMap((oid) => {
      const role = roleNamed(oid)
      return role ? [{ role, oid }] : []
    }),
    policies: policiesOf(certificate),
    revocation: revocation.map(revocationBasis),
    timestamps: [...timestamps, ...ofDocument].flatMap((one) => timestampBasis(one) ?? []),
  }
}

/** Null: the timestamp is not valid. */
export function timestampBasis(timestamp: TimestampExamination): TimestampBasis | null {
  const { time, path, root, revocation, findings } = timestamp
  if (!time || !root || findings.length > 0) return null
  return {
    time,
    service: shortName(path[0]!.subject),
    root: shortName(root.subject),
    revocation: revocation.map(revocationBasis),
  }
}

function revocationBasis(fact: RevocationFact): RevocationBasis {
  const { certificate, status, revokedAt, by, signedBy, asOf } = fact
  return {
    certificate: shortName(certificate.subject),
    status,
    revokedAt,
    by: by && ('entries' in by ? 'crl' : 'ocsp'),
    of: signedBy && shortName(signedBy),
    at: asOf,
  }
}

/** The common name, by which people know it; the whole name where there is not exactly one. */
function shortName(name: Uint8Array): string {
  try {
    const [commonName, ...more] = textsIn(name, nameOids.commonName)
    return commonName && more.length === 0 ? commonName : nameText(name)
  } catch (error) {
    if (error instanceof MalformedError) return ''
    throw error
  }
}

function policiesOf(certificate: Certificate): string[] {
  try {
    return [...(readPolicies(certificate) ?? [])]
  } catch (error) {
    if (error instanceof MalformedError) return []
    throw error
  }
}
