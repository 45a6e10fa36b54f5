/** Whether a CRL would contain a certificate if it were revoked, and for which reasons (RFC 5280, 6.3.3). */
import { extensionOids, type Certificate } from '../certificates/certificate.ts'
import { isSameGeneralName, type GeneralName } from '../certificates/general-names.ts'
import { isSameName } from '../certificates/names.ts'
import type { Crl } from './crl.ts'
import {
  allReasons,
  fullNames,
  readDistributionPoints,
  type DistributionPoint,
  type IssuingPoint,
  type Reasons,
} from './distribution-points.ts'

/** foreign: a list of another issuer. out-of-scope: a list of the right issuer, for other certificates. */
export type Scope = 'foreign' | 'out-of-scope' | Reasons

/** The distribution points of the certificate, and the implicit one: a list by its issuer of all its certificates. */
export function pointsOf({ extensions, issuer }: Certificate): DistributionPoint[] {
  const extension = extensions.get(extensionOids.crlDistributionPoints)
  const named = extension ? readDistributionPoints(extension.value) : []
  const own: DistributionPoint = {
    name: { full: [{ form: 'directory', name: issuer }] },
    reasons: allReasons,
    crlIssuer: null,
  }
  return [...named, own]
}

export function scopeOf(certificate: Certificate, points: readonly DistributionPoint[], crl: Crl): Scope {
  const scopes = points.map((point) => scopeAt(certificate, point, crl))
  const reasons = scopes.filter((scope) => typeof scope !== 'string')
  if (reasons.length > 0) return new Set(reasons.flatMap((some) => [...some]))
  return scopes.includes('out-of-scope') ? 'out-of-scope' : 'foreign'
}

function scopeAt(certificate: Certificate, point: DistributionPoint, crl: Crl): Scope {
  const { issuingPoint } = crl
  if (!isIssuerOf(certificate, point, crl)) return 'foreign'
  if (point.crlIssuer && !issuingPoint?.isIndirect) return 'out-of-scope'
  if (!issuingPoint) return point.reasons
  if (!isAtPoint(certificate, point, crl, issuingPoint) || !isFor(certificate, issuingPoint))
    return 'out-of-scope'
  return new Set([...issuingPoint.reasons].filter((reason) => point.reasons.has(reason)))
}

function isIssuerOf({ issuer }: Certificate, { crlIssuer }: DistributionPoint, crl: Crl): boolean {
  return crlIssuer ? isAmong(crl.issuer, crlIssuer) : isSameName(crl.issuer, issuer)
}

export function isAmong(name: Uint8Array, names: readonly GeneralName[]): boolean {
  return names.some((one) => one.form === 'directory' && isSameName(one.name, name))
}

/** Whether a list that names its distribution point matches this point of the certificate. */
function isAtPoint(
  { issuer }: Certificate,
  { name, crlIssuer }: DistributionPoint,
  crl: Crl,
  issuingPoint: IssuingPoint,
): boolean {
  if (!issuingPoint.name) return true
  const names = name ? fullNames(name, crlIssuer ? crl.issuer : issuer) : (crlIssuer ?? [])
  const listNames = fullNames(issuingPoint.name, crl.issuer)
  return names.some((one) => listNames.some((other) => isSameGeneralName(one, other)))
}

function isFor({ basicConstraints }: Certificate, { onlyFor }: IssuingPoint): boolean {
  const isAuthority = basicConstraints?.isAuthority === true
  switch (onlyFor) {
    case 'users':
      return !isAuthority
    case 'authorities':
      return isAuthority
    case 'attributes':
      return false
    case null:
      return true
  }
}
