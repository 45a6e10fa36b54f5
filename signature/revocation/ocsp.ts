/**
 * OCSP (RFC 6960): asking a centre about one certificate, and parsing the response. Whether the response is trusted is
 * decided in by-ocsp.ts.
 */
import { hash, type HashName } from '../algorithms/hash.ts'
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
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import {
  isSame,
  smallInteger,
  takeInteger,
  takeOctetsInBits,
  takeOid,
  takeSmallInteger,
  timeOf,
} from '../asn1/values.ts'
import { element, explicit, octetString, oid, sequence } from '../asn1/write.ts'
import {
  digestAlgorithmOf,
  digestIdentifier,
  takeAlgorithm,
  type AlgorithmIdentifier,
} from '../certificates/algorithm-identifier.ts'
import {
  readCertificate,
  readExtensions,
  type Certificate,
  type Extension,
} from '../certificates/certificate.ts'
import { reasonOf, type RevocationReason } from './reasons.ts'

export const ocspOids = {
  basicResponse: '1.3.6.1.5.5.7.48.1.1',
  nonce: '1.3.6.1.5.5.7.48.1.2',
  archiveCutoff: '1.3.6.1.5.5.7.48.1.6',
  extendedRevoke: '1.3.6.1.5.5.7.48.1.9',
  signing: '1.3.6.1.5.5.7.3.9',
} as const

export type OcspQuestion = {
  /** Only its serial number is needed. */
  certificate: Pick<Certificate, 'serial'>
  issuer: Certificate
  /** 8 to 32 unpredictable bytes; left out where a cached response is acceptable. */
  nonce?: Uint8Array
  /** SHA-1 is safe here, because nobody gains by a second issuer with equal hashes. */
  hash?: HashName
}

export function ocspRequest({
  certificate,
  issuer,
  nonce,
  hash: name = 'sha-256',
}: OcspQuestion): Uint8Array {
  const request = sequence(certIdOf(certificate.serial, issuer, name))
  const extensions = nonce
    ? [explicit(2, sequence(sequence(oid(ocspOids.nonce), octetString(octetString(nonce)))))]
    : []
  return sequence(sequence(sequence(request), ...extensions))
}

/** The name and the key of the issuer, hashed, and the serial number of the certificate. */
export function certIdOf(
  serial: Uint8Array,
  issuer: Pick<Certificate, 'subject' | 'publicKey'>,
  name: HashName,
): Uint8Array {
  return sequence(
    digestIdentifier(name),
    octetString(hash(name, issuer.subject)),
    octetString(hash(name, issuer.publicKey.bits)),
    element(tags.integer, serial),
  )
}

export type CertId = {
  /** Null: the hash is unknown. */
  hash: HashName | null
  issuerName: Uint8Array
  issuerKey: Uint8Array
  serial: Uint8Array
}

export function takeCertId(cursor: Cursor): CertId {
  const fields = inside(take(cursor, tags.sequence))
  const algorithm = takeAlgorithm(fields)
  const issuerName = take(fields, tags.octetString).content
  const issuerKey = take(fields, tags.octetString).content
  const serial = takeInteger(fields)
  finish(fields)
  return { hash: digestAlgorithmOf(algorithm), issuerName, issuerKey, serial }
}

export function isMeant(id: CertId, certificate: Certificate, issuer: Certificate): boolean {
  return (
    id.hash !== null &&
    isSame(id.serial, certificate.serial) &&
    isSame(id.issuerName, hash(id.hash, issuer.subject)) &&
    isSame(id.issuerKey, hash(id.hash, issuer.publicKey.bits))
  )
}

const statuses = {
  0: 'successful',
  1: 'malformedRequest',
  2: 'internalError',
  3: 'tryLater',
  5: 'sigRequired',
  6: 'unauthorized',
} as const
export type OcspStatus = (typeof statuses)[keyof typeof statuses]

export type OcspResponse =
  | { status: 'successful'; basic: BasicOcspResponse }
  | { status: Exclude<OcspStatus, 'successful'>; basic: null }

export type BasicOcspResponse = {
  der: Uint8Array
  /** The signed part. */
  tbs: Uint8Array
  responder: { name: Uint8Array } | { keyId: Uint8Array }
  producedAt: Date
  singles: SingleResponse[]
  extensions: ReadonlyMap<string, Extension>
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  /** Candidates for the responder's certificate, not trusted by themselves. */
  certificates: Certificate[]
}

export type SingleResponse = {
  id: CertId
  status: 'good' | 'revoked' | 'unknown'
  revokedAt: Date | null
  reason: RevocationReason | null
  thisUpdate: Date
  nextUpdate: Date | null
  extensions: ReadonlyMap<string, Extension>
}

/** An honest response takes two kilobytes, with a chain ten. */
const maxLength = 256 * 1024
const maxSingles = 256
const maxCertificates = 20

export function readOcspResponse(bytes: Uint8Array): OcspResponse {
  if (bytes.length > maxLength) throw new MalformedError('The answer is too long')
  const fields = inside(read(bytes, tags.sequence))
  const status = readStatus(take(fields, tags.enumerated))
  const holder = takeExplicit(fields, 0)
  finish(fields)
  if (status !== 'successful') return { status, basic: null }
  if (!holder) throw new MalformedError('A successful answer of nothing')
  const body = inside(take(holder, tags.sequence))
  finish(holder)
  if (takeOid(body) !== ocspOids.basicResponse) throw new MalformedError('Another kind of answer')
  const basic = readBasicOcspResponse(take(body, tags.octetString).content)
  finish(body)
  return { status, basic }
}

function readStatus(field: Element): OcspStatus {
  const number = smallInteger(field)
  for (const [known, status] of Object.entries(statuses)) if (Number(known) === number) return status
  throw new MalformedError('No such status')
}

/** Puts the response into the envelope in which a service sends it, because other software only reads that. */
export function fullOcspResponse(basic: Uint8Array): Uint8Array {
  const successful = element(tags.enumerated, Uint8Array.of(0))
  return sequence(successful, explicit(0, sequence(oid(ocspOids.basicResponse), octetString(basic))))
}

/** The response without its envelope, as signatures carry it. */
export function readBasicOcspResponse(der: Uint8Array): BasicOcspResponse {
  if (der.length > maxLength) throw new MalformedError('The answer is too long')
  const fields = inside(read(der, tags.sequence))
  const tbs = take(fields, tags.sequence)
  const signatureAlgorithm = takeAlgorithm(fields)
  const signature = takeOctetsInBits(fields)
  const holder = takeExplicit(fields, 0)
  const certificates = holder ? readCertificates(take(holder, tags.sequence)) : []
  if (holder) finish(holder)
  finish(fields)
  return { der, tbs: tbs.whole, signatureAlgorithm, signature, certificates, ...readBody(tbs) }
}

function readCertificates(list: Element): Certificate[] {
  const all = elements(list)
  if (all.length > maxCertificates) throw new MalformedError('Too many certificates')
  return all.map(({ whole }) => readCertificate(whole))
}

function readBody(tbs: Element) {
  const fields = inside(tbs)
  const version = takeExplicit(fields, 0)
  if (version && takeSmallInteger(version) !== 0) throw new MalformedError('No such version of OCSP')
  const responder = readResponder(next(fields))
  const producedAt = generalizedTimeOf(next(fields))
  const list = elements(take(fields, tags.sequence))
  if (list.length > maxSingles) throw new MalformedError('Too many certificates answered about')
  const extensions = takeExtensions(fields, 1)
  finish(fields)
  return { responder, producedAt, singles: list.map(readSingle), extensions }
}

function readResponder(field: Element): BasicOcspResponse['responder'] {
  const holder = inside(field)
  switch (field.tag) {
    case constructed(1): {
      const name = take(holder, tags.sequence).whole
      finish(holder)
      return { name }
    }
    case constructed(2): {
      const keyId = take(holder, tags.octetString).content
      finish(holder)
      return { keyId }
    }
    default:
      throw new MalformedError('Nobody answers')
  }
}

function readSingle(item: Element): SingleResponse {
  if (item.tag !== tags.sequence) throw new MalformedError('Not an answer')
  const fields = inside(item)
  const id = takeCertId(fields)
  const status = readCertStatus(next(fields))
  const thisUpdate = generalizedTimeOf(next(fields))
  const nextField = takeExplicit(fields, 0)
  const nextUpdate = nextField && generalizedTimeOf(next(nextField))
  if (nextField) finish(nextField)
  const extensions = takeExtensions(fields, 1)
  finish(fields)
  return { id, ...status, thisUpdate, nextUpdate, extensions }
}

function readCertStatus(field: Element): Pick<SingleResponse, 'status' | 'revokedAt' | 'reason'> {
  switch (field.tag) {
    case primitive(0):
    case primitive(2):
      if (field.content.length > 0) throw new MalformedError('A status that says too much')
      return { status: field.tag === primitive(0) ? 'good' : 'unknown', revokedAt: null, reason: null }
    case constructed(1): {
      const fields = inside(field)
      const revokedAt = generalizedTimeOf(next(fields))
      const reasonField = takeExplicit(fields, 0)
      const reason = reasonField && reasonOf(next(reasonField))
      if (reasonField) finish(reasonField)
      finish(fields)
      return { status: 'revoked', revokedAt, reason }
    }
    default:
      throw new MalformedError('No such status of a certificate')
  }
}

function takeExtensions(fields: Cursor, number: number): ReadonlyMap<string, Extension> {
  const holder = takeExplicit(fields, number)
  if (!holder) return new Map()
  const extensions = readExtensions(take(holder, tags.sequence))
  finish(holder)
  return extensions
}

function generalizedTimeOf(field: Element): Date {
  if (field.tag !== tags.generalizedTime) throw new MalformedError('Not a time of this kind')
  return timeOf(field)
}
