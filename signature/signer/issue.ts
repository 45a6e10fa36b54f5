/** Issues certificates and CRLs as requested, valid or not: tests need both. */
import { hash } from '../algorithms/hash.ts'
import { tags } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import {
  bitString,
  element,
  explicit,
  generalizedTime,
  integer,
  sequence,
  time,
  unsignedInteger,
} from '../asn1/write.ts'
import { readCertificate, type Certificate } from '../certificates/certificate.ts'
import { crlOids } from '../revocation/crl.ts'
import { reasonNumber, type RevocationReason } from '../revocation/reasons.ts'
import { authorityKeyId, extension, subjectKeyId } from './extensions.ts'
import type { Bytes, SigningKey } from './keys.ts'

/** The signer: a name as DER (see makeName) and a key. */
export type Party = { subject: Uint8Array; keys: SigningKey }

export type CertificateParts = Party & {
  /** Self-issued if left out: a root. */
  issuer?: Party
  /** Derived from subject and key if left out. */
  serial?: Uint8Array | number
  notBefore?: Date
  notAfter?: Date
  /** Added to the SKI and, unless the certificate is self-issued, the AKI. */
  extensions?: readonly Uint8Array[]
  /** Leaves out the SKI and the AKI. */
  isBare?: boolean
  version?: 1 | 3
  /** The inner algorithm, if it should differ from the outer one. */
  innerAlgorithm?: Uint8Array
}

export async function makeCertificate(parts: CertificateParts): Promise<Certificate> {
  return readCertificate(await makeCertificateDer(parts))
}

export async function makeCertificateDer(parts: CertificateParts): Promise<Bytes> {
  const { subject, keys, version = 3 } = parts
  const issuer = parts.issuer ?? { subject, keys }
  const serial = parts.serial ?? hash('sha-256', joined([subject, keys.publicKey])).subarray(0, 8)
  const keyIds = parts.isBare
    ? []
    : [subjectKeyId(keys.keyId), ...(parts.issuer ? [authorityKeyId(issuer.keys.keyId)] : [])]
  const extensions = [...keyIds, ...(parts.extensions ?? [])]
  const tbs = sequence(
    ...(version === 3 ? [explicit(0, integer(2))] : []),
    writtenSerial(serial),
    parts.innerAlgorithm ?? issuer.keys.signatureAlgorithm,
    issuer.subject,
    sequence(
      time(parts.notBefore ?? new Date('2024-01-01T00:00:00Z')),
      time(parts.notAfter ?? new Date('2034-01-01T00:00:00Z')),
    ),
    subject,
    keys.publicKey,
    ...(version === 3 && extensions.length > 0 ? [explicit(3, sequence(...extensions))] : []),
  )
  return signedBy(issuer.keys, tbs)
}

function writtenSerial(serial: Uint8Array | number): Bytes {
  return typeof serial === 'number' ? integer(serial) : unsignedInteger(serial)
}

/** SEQUENCE { signed part, algorithm, signature }, the form of certificates and CRLs. */
export async function signedBy(keys: SigningKey, tbs: Uint8Array): Promise<Bytes> {
  return sequence(tbs, keys.signatureAlgorithm, bitString(await keys.sign(tbs)))
}

/**
 * A serial number like those of the national centre: the key identifier, made positive and always twenty bytes long.
 */
export function nationalSerial({ keyId }: SigningKey): Bytes {
  const serial = new Uint8Array(keyId)
  serial[0]! &= 0x7f
  if (serial[0]! < 0x10) serial[0]! |= 0x10
  return serial
}

export type CrlParts = {
  issuer: Party
  thisUpdate: Date
  nextUpdate?: Date
  entries: readonly RevokedEntry[]
  number?: number
  /** Makes it a delta list: the number of the full list that it continues. */
  baseNumber?: number
  /** Added to the AKI and the numbers. */
  extensions?: readonly Uint8Array[]
}

export type RevokedEntry = {
  serial: Uint8Array | number
  revokedAt: Date
  reason?: RevocationReason
  extensions?: readonly Uint8Array[]
}

export async function makeCrl(parts: CrlParts): Promise<Bytes> {
  const { issuer, thisUpdate, nextUpdate, entries, number, baseNumber } = parts
  const extensions = [
    authorityKeyId(issuer.keys.keyId),
    ...(number === undefined ? [] : [extension(crlOids.number, integer(number))]),
    ...(baseNumber === undefined ? [] : [extension(crlOids.baseNumber, integer(baseNumber), true)]),
    ...(parts.extensions ?? []),
  ]
  const tbs = sequence(
    integer(1),
    issuer.keys.signatureAlgorithm,
    issuer.subject,
    time(thisUpdate),
    ...(nextUpdate ? [time(nextUpdate)] : []),
    // joined first, because a list may have more entries than a call takes arguments
    ...(entries.length > 0 ? [sequence(joined(entries.map(writtenEntry)))] : []),
    explicit(0, sequence(...extensions)),
  )
  return signedBy(issuer.keys, tbs)
}

const reasonCode = '2.5.29.21'
const invalidityDate = '2.5.29.24'

function writtenEntry({ serial, revokedAt, reason, extensions: others = [] }: RevokedEntry): Bytes {
  const extensions = [...(reason ? [extension(reasonCode, writtenReason(reason))] : []), ...others]
  return sequence(
    writtenSerial(serial),
    time(revokedAt),
    ...(extensions.length > 0 ? [sequence(...extensions)] : []),
  )
}

export function writtenReason(reason: RevocationReason): Bytes {
  return element(tags.enumerated, Uint8Array.of(reasonNumber(reason)))
}

/** An entry's extension: since when the key is considered compromised. */
export function invalidSince(at: Date): Bytes {
  return extension(invalidityDate, generalizedTime(at))
}
