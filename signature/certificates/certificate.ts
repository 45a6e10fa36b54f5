/** Parses a certificate (X.509). Whether it is trusted is decided in path.ts. */
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  next,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
  takeIf,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import {
  booleanOf,
  integerBytes,
  isSame,
  namedBits,
  oidOf,
  smallInteger,
  takeInteger,
  takeOctetsInBits,
  takeOid,
  timeOf,
} from '../asn1/values.ts'
import { takeAlgorithm, type AlgorithmIdentifier } from './algorithm-identifier.ts'
import { publicKeyInfoOf, type PublicKeyInfo } from './public-key.ts'

export type Certificate = {
  der: Uint8Array
  /** The signed part. */
  tbs: Uint8Array
  version: 1 | 2 | 3
  /** The bytes of the number, as written: equal numbers have equal bytes. */
  serial: Uint8Array
  /** Names as DER. */
  issuer: Uint8Array
  subject: Uint8Array
  notBefore: Date
  notAfter: Date
  publicKey: PublicKeyInfo
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  extensions: ReadonlyMap<string, Extension>
  /** Extensions that nearly every caller needs; null where absent. */
  basicConstraints: BasicConstraints | null
  keyUsage: ReadonlySet<KeyUse> | null
  extendedKeyUsage: readonly string[] | null
  subjectKeyId: Uint8Array | null
  authorityKeyId: Uint8Array | null
}

export type Extension = { oid: string; isCritical: boolean; value: Uint8Array }

export type BasicConstraints = { isAuthority: boolean; pathLength: number | null }

export const keyUses = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const
export type KeyUse = (typeof keyUses)[number]

export const extensionOids = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  certificatePolicies: '2.5.29.32',
  policyMappings: '2.5.29.33',
  authorityKeyId: '2.5.29.35',
  policyConstraints: '2.5.29.36',
  extendedKeyUsage: '2.5.29.37',
  freshestCrl: '2.5.29.46',
  inhibitAnyPolicy: '2.5.29.54',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
} as const

/** A person's certificate takes two kilobytes; one of a megabyte is an attack. */
const maxLength = 64 * 1024
const maxExtensions = 64

export function readCertificate(der: Uint8Array): Certificate {
  if (der.length > maxLength) throw new MalformedError('The certificate is too long')
  const fields = inside(read(der, tags.sequence))
  const tbs = take(fields, tags.sequence)
  const outer = takeAlgorithm(fields)
  const signature = takeOctetsInBits(fields)
  finish(fields)

  const body = readBody(tbs)
  // only the inner identifier is signed
  if (!isSame(outer.der, body.signatureAlgorithm.der)) throw new MalformedError('Two signature algorithms')
  return { der, tbs: tbs.whole, signature, ...body, ...common(body.extensions) }
}

/** Null where it cannot be read. */
export function readableCertificate(der: Uint8Array): Certificate | null {
  try {
    return readCertificate(der)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function readBody(tbs: Element) {
  const fields = inside(tbs)
  const version = readVersion(fields)
  const serial = takeInteger(fields)
  const signatureAlgorithm = takeAlgorithm(fields)
  const issuer = take(fields, tags.sequence).whole
  const { notBefore, notAfter } = readValidity(take(fields, tags.sequence))
  const subject = take(fields, tags.sequence).whole
  const publicKey = publicKeyInfoOf(take(fields, tags.sequence))
  // unique identifiers of version 2, which are not used in practice
  if (version > 1) {
    takeIf(fields, primitive(1))
    takeIf(fields, primitive(2))
  }
  const extensionField = version === 3 ? takeExplicit(fields, 3) : null
  const extensions = extensionField ? readExtensions(take(extensionField, tags.sequence)) : new Map()
  if (extensionField) finish(extensionField)
  finish(fields)
  return { version, serial, signatureAlgorithm, issuer, notBefore, notAfter, subject, publicKey, extensions }
}

function readVersion(fields: Cursor): 1 | 2 | 3 {
  const field = takeExplicit(fields, 0)
  if (!field) return 1
  const value = smallInteger(take(field, tags.integer))
  finish(field)
  if (value === 1) return 2
  if (value === 2) return 3
  throw new MalformedError('No such version of certificates')
}

function readValidity(element: Element): { notBefore: Date; notAfter: Date } {
  const fields = inside(element)
  const notBefore = timeOf(next(fields))
  const notAfter = timeOf(next(fields))
  finish(fields)
  return { notBefore, notAfter }
}

/** The extensions of a certificate, a CRL, OCSP data or a timestamp. */
export function readExtensions(list: Element): Map<string, Extension> {
  const extensions = new Map<string, Extension>()
  for (const item of elements(list)) {
    if (item.tag !== tags.sequence) throw new MalformedError('Not an extension')
    const fields = inside(item)
    const oid = takeOid(fields)
    const critical = takeIf(fields, tags.boolean)
    const value = take(fields, tags.octetString).content
    finish(fields)
    if (extensions.has(oid)) throw new MalformedError('An extension given twice')
    if (extensions.size === maxExtensions) throw new MalformedError('Too many extensions')
    extensions.set(oid, { oid, isCritical: critical !== null && booleanOf(critical), value })
  }
  return extensions
}

function common(extensions: ReadonlyMap<string, Extension>) {
  const valueOf = (oid: string) => extensions.get(oid)?.value
  const basicConstraints = valueOf(extensionOids.basicConstraints)
  const keyUsage = valueOf(extensionOids.keyUsage)
  const extendedKeyUsage = valueOf(extensionOids.extendedKeyUsage)
  const subjectKeyId = valueOf(extensionOids.subjectKeyId)
  const authorityKeyId = valueOf(extensionOids.authorityKeyId)
  return {
    basicConstraints: basicConstraints ? readBasicConstraints(basicConstraints) : null,
    keyUsage: keyUsage ? readKeyUsage(keyUsage) : null,
    extendedKeyUsage: extendedKeyUsage ? readOids(extendedKeyUsage) : null,
    subjectKeyId: subjectKeyId ? read(subjectKeyId, tags.octetString).content : null,
    authorityKeyId: authorityKeyId ? readAuthorityKeyId(authorityKeyId) : null,
  }
}

function readBasicConstraints(value: Uint8Array): BasicConstraints {
  const fields = inside(read(value, tags.sequence))
  const authority = takeIf(fields, tags.boolean)
  const pathLength = takeIf(fields, tags.integer)
  finish(fields)
  return {
    isAuthority: authority !== null && booleanOf(authority),
    pathLength: pathLength && smallInteger(pathLength),
  }
}

function readKeyUsage(value: Uint8Array): Set<KeyUse> {
  const bits = namedBits(read(value, tags.bitString))
  return new Set(keyUses.filter((_, bit) => bits.has(bit)))
}

function readOids(value: Uint8Array): string[] {
  return elements(read(value, tags.sequence)).map((item) => {
    if (item.tag !== tags.oid) throw new MalformedError('Not an object identifier')
    return oidOf(item.content)
  })
}

/** The authority key identifier of a certificate or a CRL; null if the extension names no key. */
export function readAuthorityKeyId(value: Uint8Array): Uint8Array | null {
  const fields = inside(read(value, tags.sequence))
  const keyId = takeIf(fields, primitive(0))?.content ?? null
  takeIf(fields, constructed(1))
  const serial = takeIf(fields, primitive(2))
  if (serial) integerBytes(serial)
  finish(fields)
  return keyId
}
