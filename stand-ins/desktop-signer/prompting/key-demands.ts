/** Which keys a page requests, and whether a key fits. */
import { isSame, toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { findPath } from '@kelisim/signature/certificates/path.ts'
import type { ErrorCode } from './program-error.ts'

export type KeyDemands = {
  use: 'signature' | 'authentication' | 'any'
  /** The certificate must contain all of these. */
  extendedKeyUsage: readonly string[]
  /** An empty string in these fields accepts any value. */
  iin: string
  bin: string
  serialNumber: string
  /** Accepted issuers: the centres that the program knows, the given certificates, or any. */
  issuedBy: 'known centres' | 'anybody' | readonly Certificate[]
  allowsExpired: boolean
}

export const anyKey: KeyDemands = {
  use: 'any',
  extendedKeyUsage: [],
  iin: '',
  bin: '',
  serialNumber: '',
  issuedBy: 'anybody',
  allowsExpired: true,
}

export type Unfitness = 'use' | 'role' | 'owner' | 'serial-number' | 'not-in-time' | 'issuer'

export async function whyUnfit(
  certificate: Certificate,
  demands: KeyDemands,
  knownCentres: readonly Certificate[],
  at: Date,
): Promise<Unfitness | null> {
  const { iin, bin, keyUse } = ncaProfile(certificate)
  if (demands.use !== 'any' && keyUse !== 'both' && keyUse !== demands.use) return 'use'
  if (!demands.extendedKeyUsage.every((oid) => certificate.extendedKeyUsage?.includes(oid))) return 'role'
  if ((demands.iin !== '' && demands.iin !== iin) || (demands.bin !== '' && demands.bin !== bin)) {
    return 'owner'
  }
  if (demands.serialNumber !== '' && !isNumbered(certificate, demands.serialNumber)) return 'serial-number'
  const isInTime = certificate.notBefore <= at && at <= certificate.notAfter
  if (!isInTime && !demands.allowsExpired) return 'not-in-time'
  if (demands.issuedBy === 'anybody') return null
  const centres = demands.issuedBy === 'known centres' ? knownCentres : demands.issuedBy
  return (await isIssuedBy(certificate, centres, isInTime ? at : certificate.notAfter)) ? null : 'issuer'
}

/** Compares hexadecimal numbers, with or without leading zeros. */
function isNumbered({ serial }: Certificate, wanted: string): boolean {
  const digits = (text: string) => text.toLowerCase().replace(/^0+/, '')
  return digits(toHex(serial)) === digits(wanted)
}

/** The program trusts every centre it knows, roots and intermediates alike. */
async function isIssuedBy(
  certificate: Certificate,
  centres: readonly Certificate[],
  at: Date,
): Promise<boolean> {
  if (centres.some(({ der }) => isSame(der, certificate.der))) return false
  const { ok } = await findPath(certificate, { roots: centres, others: centres, at })
  return ok
}

/** The error for the page if nobody is there to choose another key. */
export const unfitnessCodes: Record<Unfitness, ErrorCode> = {
  use: 'KEY_NOT_FOUND',
  role: 'KEY_NOT_FOUND',
  owner: 'KEY_NOT_FOUND',
  'serial-number': 'KEY_NOT_FOUND',
  'not-in-time': 'CERTIFICATE_DATE_NOT_VALID',
  issuer: 'CERTPATH_BUILDING_FAILURE',
}
