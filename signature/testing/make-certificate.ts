/** Makes certificates. For tests and stand-ins only: what is asked for is made, sound or not. */
import { hash } from '../algorithms/hash.ts'
import { primitive, tags } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import {
  bitString,
  boolean,
  element,
  explicit,
  ia5String,
  integer,
  octetString,
  oid,
  printableString,
  sequence,
  setOf,
  time,
  unsignedInteger,
  utf8String,
} from '../asn1/write.ts'
import {
  extensionOids,
  keyUses,
  readCertificate,
  type Certificate,
  type KeyUse,
} from '../certificates/certificate.ts'
import { nameOids } from '../certificates/names.ts'
import type { Keys } from './make-keys.ts'

type Bytes = Uint8Array<ArrayBuffer>

export type CertificateParts = {
  /** Names as DER: see makeName. */
  subject: Uint8Array
  /** The subject's. */
  keys: Keys
  /** Itself where left out: a root. */
  issuer?: { subject: Uint8Array; keys: Keys }
  /** Follows from subject and key where left out. */
  serial?: Uint8Array | number
  notBefore?: Date
  notAfter?: Date
  /** Added to SKI and, where another issued it, AKI. */
  extensions?: readonly Uint8Array[]
  /** Without SKI and AKI. */
  isBare?: boolean
  version?: 1 | 3
  /** The one inside, where it is to differ from the one outside. */
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
    typeof serial === 'number' ? integer(serial) : unsignedInteger(serial),
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

/** SEQUENCE { what is signed, algorithm, signature }, as certificates and lists of revoked ones are. */
export async function signedBy(keys: Keys, tbs: Uint8Array): Promise<Bytes> {
  return sequence(tbs, keys.signatureAlgorithm, bitString(await keys.sign(tbs)))
}

/** One attribute in each relative name, in the order given. */
export function makeName(attributes: Partial<Record<keyof typeof nameOids, string>>): Bytes {
  const entries = Object.entries(attributes) as [keyof typeof nameOids, string][]
  return sequence(
    ...entries.map(([kind, text]) => setOf([sequence(oid(nameOids[kind]), nameText(kind, text))])),
  )
}

function nameText(kind: keyof typeof nameOids, text: string): Bytes {
  if (kind === 'country' || kind === 'serialNumber') return printableString(text)
  if (kind === 'email' || kind === 'domainComponent') return ia5String(text)
  return utf8String(text)
}

export function extension(id: string, value: Uint8Array, isCritical = false): Bytes {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octetString(value))
}

/** Basic constraints of an authority, and the right to sign certificates and lists of revoked ones. */
export function authority(pathLength?: number): Bytes[] {
  return [basicConstraints(true, pathLength), keyUsage('keyCertSign', 'cRLSign')]
}

export function basicConstraints(isAuthority: boolean, pathLength?: number): Bytes {
  const fields = [
    ...(isAuthority ? [boolean(true)] : []),
    ...(pathLength === undefined ? [] : [integer(pathLength)]),
  ]
  return extension(extensionOids.basicConstraints, sequence(...fields), true)
}

export function keyUsage(...uses: KeyUse[]): Bytes {
  const bits = uses.map((use) => keyUses.indexOf(use))
  return extension(extensionOids.keyUsage, namedBits(bits), true)
}

export function extendedKeyUsage(oids: readonly string[], isCritical = false): Bytes {
  return extension(extensionOids.extendedKeyUsage, sequence(...oids.map(oid)), isCritical)
}

export function subjectKeyId(keyId: Uint8Array): Bytes {
  return extension(extensionOids.subjectKeyId, octetString(keyId))
}

export function authorityKeyId(keyId: Uint8Array): Bytes {
  return extension(extensionOids.authorityKeyId, sequence(element(primitive(0), keyId)))
}

/** A BIT STRING of named bits: zeros at the end are left out. */
export function namedBits(bits: readonly number[], tag: number = tags.bitString): Bytes {
  if (bits.length === 0) return element(tag, Uint8Array.of(0))
  const last = Math.max(...bits)
  const bytes = new Uint8Array((last >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
  return element(tag, Uint8Array.of(7 - (last & 7)), bytes)
}
