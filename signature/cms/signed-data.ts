/**
 * Parses a CMS SignedData (RFC 5652) without trusting it. The envelope may be BER; what is signed must be DER. The
 * content is returned in its pieces, so that a document of 20 MB is held once.
 */
import {
  constructed,
  elements,
  finish,
  inside,
  isAtEnd,
  MalformedError,
  next,
  peek,
  primitive,
  read,
  tags,
  take,
  takeExplicit,
  takeIf,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import { octetPieces, octetsOf, oidOf, takeInteger, takeOid, takeSmallInteger } from '../asn1/values.ts'
import {
  isSameAlgorithm,
  takeAlgorithm,
  type AlgorithmIdentifier,
} from '../certificates/algorithm-identifier.ts'

export type SignedData = {
  digestAlgorithms: AlgorithmIdentifier[]
  contentType: string
  /** Null where the signature is detached. */
  content: Uint8Array[] | null
  /** Each as DER, for the caller to parse: some of them may be unreadable. */
  certificates: Uint8Array[]
  crls: Uint8Array[]
  ocspResponses: Uint8Array[]
  /** Certificates and revocation data of every kind, as they stand: archive timestamps hash them. */
  certificateChoices: Uint8Array[]
  revocationChoices: Uint8Array[]
  signers: SignerInfo[]
}

export type SignerInfo = {
  /** As received, to be copied into another SignedData. */
  whole: Uint8Array
  signerId: { issuer: Uint8Array; serial: Uint8Array } | { subjectKeyId: Uint8Array }
  digestAlgorithm: AlgorithmIdentifier
  signedAttributes: SignedAttributes | null
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  unsignedAttributes: Attribute[]
}

export type SignedAttributes = {
  /** The signed bytes: the attributes under the tag of a SET. */
  der: Uint8Array
  /** Without duplicates. */
  list: Attribute[]
}

export type Attribute = { oid: string; values: Element[]; whole: Uint8Array }

export const cmsOids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  counterSignature: '1.2.840.113549.1.9.6',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  certificateValues: '1.2.840.113549.1.9.16.2.23',
  revocationValues: '1.2.840.113549.1.9.16.2.24',
  ocspResponse: '1.3.6.1.5.5.7.16.2',
  archiveTimestamp: '0.4.0.1733.2.4',
  archiveHashIndex: '0.4.0.1733.2.5',
  archiveHashIndexV3: '0.4.0.19122.1.5',
} as const

/** A request with hundreds of points stays below; more is an attack. */
export const limits = { signers: 256, certificates: 512, attributes: 64, values: 64 }

/** There are more items than allowed. */
export class ExcessError extends MalformedError {}

export function readSignedData(bytes: Uint8Array): SignedData {
  const outer = inside(read(bytes, tags.sequence, 'ber'))
  if (takeOid(outer) !== cmsOids.signedData) throw new MalformedError('Not a SignedData')
  const holder = takeExplicit(outer, 0)
  if (!holder) throw new MalformedError('A SignedData without content')
  const fields = inside(take(holder, tags.sequence))
  finish(holder)
  finish(outer)

  const version = takeSmallInteger(fields)
  const digestAlgorithms = readRow(take(fields, tags.set), limits.signers, takeAlgorithm)
  const { contentType, content } = readContent(take(fields, tags.sequence))
  const { certificates, certificateTags, certificateChoices } = readCertificates(
    takeIf(fields, constructed(0)),
  )
  const { crls, ocspResponses, hasOtherRevocation, revocationChoices } = readRevocation(
    takeIf(fields, constructed(1)),
  )
  const signers = readRow(take(fields, tags.set), limits.signers, takeSignerInfo)
  finish(fields)
  const data: SignedData = {
    digestAlgorithms,
    contentType,
    content,
    certificates,
    crls,
    ocspResponses,
    certificateChoices,
    revocationChoices,
    signers,
  }
  if (!isVersionRight(version, data, { certificateTags, hasOtherRevocation }))
    throw new MalformedError('Another version of SignedData')
  return data
}

/**
 * RFC 5652, 5.1: 1, or more if newer features are used; more than needed does no harm. Old software writes 1 even
 * where signers are identified by their keys.
 */
function isVersionRight(version: number, data: SignedData, features: Features): boolean {
  const isKnown = version === 1 || (version >= 3 && version <= 5)
  return isKnown && version >= leastVersion(data, features)
}

type Features = { hasOtherRevocation: boolean; certificateTags: ReadonlySet<number> }

function leastVersion({ contentType }: SignedData, features: Features): number {
  const { hasOtherRevocation, certificateTags } = features
  if (hasOtherRevocation || certificateTags.has(constructed(3))) return 5
  if (certificateTags.has(constructed(2))) return 4
  return certificateTags.has(constructed(1)) || contentType !== cmsOids.data ? 3 : 1
}

/** Whether the signer's hash is among those that the container names. */
export function isAnnounced({ digestAlgorithm }: SignerInfo, { digestAlgorithms }: SignedData): boolean {
  return digestAlgorithms.some((announced) => isSameAlgorithm(announced, digestAlgorithm))
}

function readRow<T>(set: Element, limit: number, takeOne: (cursor: Cursor) => T): T[] {
  const cursor = inside(set)
  const row: T[] = []
  while (!isAtEnd(cursor)) {
    if (row.length === limit) throw new ExcessError('Too many')
    row.push(takeOne(cursor))
  }
  return row
}

function readContent(element: Element): { contentType: string; content: Uint8Array[] | null } {
  const fields = inside(element)
  const contentType = takeOid(fields)
  const holder = takeExplicit(fields, 0)
  finish(fields)
  if (!holder) return { contentType, content: null }
  const content = octetPieces(next(holder))
  finish(holder)
  return { contentType, content }
}

/** Attribute certificates and other kinds are ignored: they are not used here. */
function readCertificates(field: Element | null) {
  const all = field ? readRow(field, limits.certificates, next) : []
  return {
    certificates: all.filter((one) => one.tag === tags.sequence).map((one) => one.whole),
    certificateTags: new Set(all.map(({ tag }) => tag)),
    certificateChoices: all.map(({ whole }) => whole),
  }
}

/** Other formats than CRLs and full OCSP responses are ignored. */
function readRevocation(field: Element | null) {
  const crls: Uint8Array[] = []
  const ocspResponses: Uint8Array[] = []
  let hasOtherRevocation = false
  const all = field ? readRow(field, limits.certificates, next) : []
  for (const one of all) {
    if (one.tag === tags.sequence) crls.push(one.whole)
    else if (one.tag === constructed(1)) {
      hasOtherRevocation = true
      const other = inside(one)
      if (takeOid(other) === cmsOids.ocspResponse) ocspResponses.push(next(other).whole)
    }
  }
  return { crls, ocspResponses, hasOtherRevocation, revocationChoices: all.map(({ whole }) => whole) }
}

function takeSignerInfo(cursor: Cursor): SignerInfo {
  return readSignerInfo(take(cursor, tags.sequence))
}

/** Parses a SignerInfo; a counter-signature is one, too. */
export function readSignerInfo(element: Element): SignerInfo {
  const fields = inside(element)
  const version = takeSmallInteger(fields)
  const signerId = takeSignerId(fields)
  if (version !== ('serial' in signerId ? 1 : 3)) throw new MalformedError('Another version of SignerInfo')
  const digestAlgorithm = takeAlgorithm(fields)
  const signed = takeIf(fields, constructed(0))
  const signatureAlgorithm = takeAlgorithm(fields)
  const signature = octetsOf(next(fields))
  const unsigned = takeIf(fields, constructed(1))
  finish(fields)
  return {
    whole: element.whole,
    signerId,
    digestAlgorithm,
    signedAttributes: signed && readSignedAttributes(signed),
    signatureAlgorithm,
    signature,
    unsignedAttributes: unsigned ? readRow(unsigned, limits.attributes, takeAttribute) : [],
  }
}

function takeSignerId(fields: Cursor): SignerInfo['signerId'] {
  const keyId = takeIf(fields, primitive(0))
  if (keyId) return { subjectKeyId: keyId.content }
  const names = inside(take(fields, tags.sequence))
  const issuer = take(names, tags.sequence).whole
  const serial = takeInteger(names)
  finish(names)
  return { issuer, serial }
}

function readSignedAttributes(field: Element): SignedAttributes {
  // only the tag differs from what was signed, so the received bytes are the verified bytes
  const der = new Uint8Array(field.whole)
  der[0] = tags.set
  const set = read(der, tags.set, 'der')
  refuseDisorder(elements(set))
  const list = readRow(set, limits.attributes, takeAttribute)
  if (new Set(list.map(({ oid }) => oid)).size !== list.length) {
    throw new MalformedError('An attribute given twice')
  }
  return { der, list }
}

/** DER requires the members of a set in order; another order would be a second encoding. */
function refuseDisorder(members: readonly Element[]): void {
  for (const [i, member] of members.entries()) {
    const before = members[i - 1]
    if (before && !isBefore(before.whole, member.whole)) throw new MalformedError('A set out of order')
  }
}

function isBefore(one: Uint8Array, other: Uint8Array): boolean {
  const length = Math.min(one.length, other.length)
  for (let i = 0; i < length; i++) if (one[i] !== other[i]) return one[i]! < other[i]!
  return one.length < other.length
}

function takeAttribute(cursor: Cursor): Attribute {
  const element = take(cursor, tags.sequence)
  const fields = inside(element)
  const oid = takeOid(fields)
  const values = readRow(take(fields, tags.set), limits.values, next)
  finish(fields)
  return { oid, values, whole: element.whole }
}

/** The value of a single-valued attribute, or null where there is no such attribute. */
export function singleValue(attributes: readonly Attribute[], oid: string): Element | null {
  const attribute = attributes.find((one) => one.oid === oid)
  if (!attribute) return null
  const [value] = attribute.values
  if (!value || attribute.values.length !== 1) throw new MalformedError('An attribute of several values')
  return value
}

export function oidValue(attributes: readonly Attribute[], oid: string): string | null {
  const value = singleValue(attributes, oid)
  if (!value) return null
  if (value.tag !== tags.oid) throw new MalformedError('Not an object identifier')
  return oidOf(value.content)
}

/** All values of all attributes of one kind: timestamps may be in one attribute or in several. */
export function allValues(attributes: readonly Attribute[], oid: string): Element[] {
  return attributes.flatMap((attribute) => (attribute.oid === oid ? attribute.values : []))
}

/** Whether the bytes begin like a CMS, to tell a damaged CMS from something else. */
export function looksLikeCms(bytes: Uint8Array): boolean {
  try {
    const cursor: Cursor = { bytes, at: 0, encoding: 'ber', depth: 0 }
    return peek(cursor) === tags.sequence && containsOid(bytes.subarray(0, 24))
  } catch {
    return false
  }
}

function containsOid(start: Uint8Array): boolean {
  const wanted = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x02]
  return start.some((_, at) => wanted.every((byte, i) => start[at + i] === byte))
}
