/** Where a CRL is published, and which certificates and reasons it covers. */
import {
  constructed,
  elements,
  finish,
  inside,
  MalformedError,
  primitive,
  read,
  tags,
  takeExplicit,
  takeIf,
  type Cursor,
  type Element,
} from '../asn1/read.ts'
import { booleanOf, namedBits } from '../asn1/values.ts'
import { sequence, element } from '../asn1/write.ts'
import { generalNamesOf, type GeneralName } from '../certificates/general-names.ts'

/** Bits of ReasonFlags: 1 to 8, the first being unused. */
export type Reasons = ReadonlySet<number>
export const allReasons: Reasons = new Set([1, 2, 3, 4, 5, 6, 7, 8])

/** Full, or relative to the name of the issuer of the list. */
export type PointName = { full: GeneralName[] } | { relative: Uint8Array }

/** What a CRL states about its own scope. */
export type IssuingPoint = {
  name: PointName | null
  onlyFor: 'users' | 'authorities' | 'attributes' | null
  reasons: Reasons
  isIndirect: boolean
  /** Lists of the same scope have the same bytes here. */
  der: Uint8Array
}

/** Where the CRL of a certificate is, as the certificate states. */
export type DistributionPoint = {
  name: PointName | null
  reasons: Reasons
  /** The issuer of the list, if it is not the certificate's issuer. */
  crlIssuer: GeneralName[] | null
}

export function readIssuingPoint(der: Uint8Array): IssuingPoint {
  const fields = inside(read(der, tags.sequence))
  const name = takePointName(fields)
  const isForUsers = takeFlag(fields, 1)
  const isForAuthorities = takeFlag(fields, 2)
  const reasons = takeReasons(fields, 3)
  const isIndirect = takeFlag(fields, 4)
  const isForAttributes = takeFlag(fields, 5)
  finish(fields)
  if ([isForUsers, isForAuthorities, isForAttributes].filter(Boolean).length > 1) {
    throw new MalformedError('A list for one kind only, and for another only')
  }
  const onlyFor = isForUsers
    ? 'users'
    : isForAuthorities
      ? 'authorities'
      : isForAttributes
        ? 'attributes'
        : null
  return { name, onlyFor, reasons, isIndirect, der }
}

/** The extensions cRLDistributionPoints and freshestCRL. */
export function readDistributionPoints(value: Uint8Array): DistributionPoint[] {
  return elements(read(value, tags.sequence)).map((point) => {
    if (point.tag !== tags.sequence) throw new MalformedError('Not a distribution point')
    const fields = inside(point)
    const name = takePointName(fields)
    const reasons = takeReasons(fields, 1)
    const issuer = takeIf(fields, constructed(2))
    finish(fields)
    return { name, reasons, crlIssuer: issuer && generalNamesOf(issuer) }
  })
}

/** The full names of a point: a relative one continues the name of the list's issuer. */
export function fullNames(name: PointName, issuer: Uint8Array): GeneralName[] {
  if ('full' in name) return name.full
  const rdns = elements(read(issuer, tags.sequence)).map(({ whole }) => whole)
  return [{ form: 'directory', name: sequence(...rdns, name.relative) }]
}

function takePointName(fields: Cursor): PointName | null {
  const field = takeExplicit(fields, 0)
  if (!field) return null
  const full = takeIf(field, constructed(0))
  const relative = full ? null : takeIf(field, constructed(1))
  finish(field)
  if (full) return { full: generalNamesOf(full) }
  if (relative) return { relative: element(tags.set, relative.content) }
  throw new MalformedError('A distribution point without a name')
}

function takeFlag(fields: Cursor, number: number): boolean {
  const field: Element | null = takeIf(fields, primitive(number))
  return field !== null && booleanOf(field)
}

function takeReasons(fields: Cursor, number: number): Reasons {
  const field = takeIf(fields, primitive(number))
  if (!field) return allReasons
  const bits = namedBits(field)
  return new Set([...allReasons].filter((bit) => bits.has(bit)))
}
