/** Revocation reasons (CRLReason of RFC 5280; OCSP uses the same numbers). */
import { MalformedError, tags, type Element } from '../asn1/read.ts'
import { integerBytes } from '../asn1/values.ts'

/** Indexed by number; 7 is not used. */
const reasons = [
  'unspecified',
  'keyCompromise',
  'cACompromise',
  'affiliationChanged',
  'superseded',
  'cessationOfOperation',
  'certificateHold',
  null,
  'removeFromCRL',
  'privilegeWithdrawn',
  'aACompromise',
] as const

export type RevocationReason = NonNullable<(typeof reasons)[number]>

export function isReasonNumber(number: number): boolean {
  return typeof reasons[number] === 'string'
}

export function reasonNumber(reason: RevocationReason): number {
  return reasons.indexOf(reason)
}

export function reasonOf(element: Element): RevocationReason {
  const bytes = element.tag === tags.enumerated ? integerBytes(element) : null
  const reason = bytes?.length === 1 ? reasons[bytes[0]!] : null
  if (!reason) throw new MalformedError('Not a reason of revocation')
  return reason
}
