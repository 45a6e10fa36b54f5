/** Parses a certificate revocation list (CRL). Whether it is trusted is decided in by-crl.ts. */
import {
  finish,
  inside,
  MalformedError,
  next,
  peek,
  read,
  tags,
  take,
  takeExplicit,
  takeIf,
  type Cursor,
} from '../asn1/read.ts'
import { integerBytes, takeOctetsInBits, takeSmallInteger, timeOf } from '../asn1/values.ts'
import {
  isSameAlgorithm,
  takeAlgorithm,
  type AlgorithmIdentifier,
} from '../certificates/algorithm-identifier.ts'
import {
  extensionOids,
  readAuthorityKeyId,
  readExtensions,
  type Extension,
} from '../certificates/certificate.ts'
import type { Signed } from '../certificates/signed-by.ts'
import { indexEntries, type CrlEntries } from './crl-entries.ts'
import { readIssuingPoint, type IssuingPoint } from './distribution-points.ts'

/** Plain values and views of the bytes: can be posted to a worker as it is. */
export type Crl = {
  der: Uint8Array
  /** The signed part. */
  tbs: Uint8Array
  signatureAlgorithm: AlgorithmIdentifier
  signature: Uint8Array
  /** The name as DER. */
  issuer: Uint8Array
  thisUpdate: Date
  nextUpdate: Date | null
  number: bigint | null
  /** For a delta list: the number of the full list that it continues. */
  baseNumber: bigint | null
  issuingPoint: IssuingPoint | null
  authorityKeyId: Uint8Array | null
  /** Certificates that have expired since then stay on the list; null: expired ones may have been dropped. */
  keepsExpiredSince: Date | null
  /**
   * The list, or one of its entries, has a critical extension that is not understood here, so the list must not be
   * used.
   */
  hasUnknownCritical: boolean
  entries: CrlEntries
}

export const crlOids = {
  number: '2.5.29.20',
  baseNumber: '2.5.29.27',
  issuingPoint: '2.5.29.28',
  expiredCertsOnCrl: '2.5.29.60',
} as const

const known: ReadonlySet<string> = new Set([
  ...Object.values(crlOids),
  extensionOids.authorityKeyId,
  extensionOids.freshestCrl,
])

/** Several times the size that the national centre has reached; offsets must fit 32 bits in any case. */
const maxLength = 256 * 1024 * 1024

/**
 * Reads the signed part and the signature without parsing the entries, because an untrusted list is authenticated
 * first.
 */
export function readSignedList(der: Uint8Array): Signed {
  if (der.length > maxLength) throw new MalformedError('The list is too long')
  const fields = inside(read(der, tags.sequence))
  const tbs = take(fields, tags.sequence).whole
  const signatureAlgorithm = takeAlgorithm(fields)
  const signature = takeOctetsInBits(fields)
  finish(fields)
  return { tbs, signatureAlgorithm, signature }
}

export function readCrl(der: Uint8Array): Crl {
  if (der.length > maxLength) throw new MalformedError('The list is too long')
  const fields = inside(read(der, tags.sequence))
  const tbs = take(fields, tags.sequence)
  const outer = takeAlgorithm(fields)
  const signature = takeOctetsInBits(fields)
  finish(fields)

  const body = inside(tbs)
  const version = readVersion(body)
  const signatureAlgorithm = takeAlgorithm(body)
  if (!isSameAlgorithm(outer, signatureAlgorithm)) throw new MalformedError('Two signature algorithms')
  const issuer = take(body, tags.sequence).whole
  const thisUpdate = timeOf(next(body))
  const hasNextUpdate = peek(body) === tags.utcTime || peek(body) === tags.generalizedTime
  const nextUpdate = hasNextUpdate ? timeOf(next(body)) : null
  const revoked = takeIf(body, tags.sequence)
  const extensions = version === 2 ? readListExtensions(body) : new Map<string, Extension>()
  finish(body)

  const issuingPointValue = extensions.get(crlOids.issuingPoint)?.value
  const issuingPoint = issuingPointValue ? readIssuingPoint(issuingPointValue) : null
  const isIndirect = issuingPoint?.isIndirect ?? false
  const entries = indexEntries(revoked?.content ?? new Uint8Array(), {
    hasExtensions: version === 2,
    isIndirect,
  })
  const isUnknown = ({ oid, isCritical }: Extension) => isCritical && !known.has(oid)
  return {
    der,
    tbs: tbs.whole,
    signatureAlgorithm,
    signature,
    issuer,
    thisUpdate,
    nextUpdate,
    number: numberIn(extensions, crlOids.number),
    baseNumber: numberIn(extensions, crlOids.baseNumber),
    issuingPoint,
    authorityKeyId: authorityKeyIdIn(extensions),
    keepsExpiredSince: timeIn(extensions, crlOids.expiredCertsOnCrl),
    hasUnknownCritical: entries.hasUnknownCritical || [...extensions.values()].some(isUnknown),
    entries,
  }
}

function readVersion(body: Cursor): 1 | 2 {
  if (peek(body) !== tags.integer) return 1
  if (takeSmallInteger(body) !== 1) throw new MalformedError('No such version of lists')
  return 2
}

function readListExtensions(body: Cursor): Map<string, Extension> {
  const field = takeExplicit(body, 0)
  if (!field) return new Map()
  const extensions = readExtensions(take(field, tags.sequence))
  finish(field)
  return extensions
}

/** Reads the number of a list, which may have twenty bytes. */
function numberIn(extensions: ReadonlyMap<string, Extension>, oid: string): bigint | null {
  const value = extensions.get(oid)?.value
  if (!value) return null
  const bytes = integerBytes(read(value, tags.integer))
  if (bytes.length > 21 || bytes[0]! >= 0x80) throw new MalformedError('Not the number of a list')
  return bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n)
}

/** GeneralizedTime as the value of an extension. */
export function timeIn(extensions: ReadonlyMap<string, Extension>, oid: string): Date | null {
  const value = extensions.get(oid)?.value
  return value ? timeOf(read(value, tags.generalizedTime)) : null
}

function authorityKeyIdIn(extensions: ReadonlyMap<string, Extension>): Uint8Array | null {
  const value = extensions.get(extensionOids.authorityKeyId)?.value
  return value ? readAuthorityKeyId(value) : null
}
