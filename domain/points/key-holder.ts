/** Whose key a point takes (docs/product/in-whose-name.md#whose-key). */
import { isPersonNumber } from '../numbers.ts'
import { actOf, sideOf, type PointType } from './point-types.ts'

/**
 *   head           the head of the organisation
 *   signingRight   the head, or somebody with the right to sign
 *   employee       any person's certificate of that number
 *   person         one IIN: the named one, or at personal points the actor's own
 */
export const keyHolders = ['head', 'signingRight', 'employee', 'person'] as const
export type KeyHolder = (typeof keyHolders)[number]

export type KeyRule = { keyHolder: KeyHolder; keyHolderIin: string | null }

/** Whether a point of this type takes the actor's own key, issued for any organisation. */
export function isPersonalType(type: PointType): boolean {
  return type === 'EmployeeInternalSign' || type === 'InternalApprove'
}

/**
 * Whether the key holder can be chosen: only at points that act for an organisation, not for an individual's number.
 */
export function hasKeyChoice(type: PointType, number: string | null): boolean {
  if (isPersonalType(type) || actOf(type) === 'inform') return false
  if (sideOf(type) === 'internal') return actOf(type) === 'sign'
  return sideOf(type) === 'counterParty' || !isIndividual(number)
}

export function defaultKeyHolder(type: PointType): KeyHolder {
  return sideOf(type) === 'internal' ? 'employee' : 'signingRight'
}

/** The rule to be stored: the choice, or what the type and the number determine. */
export function keyRuleOf(
  type: PointType,
  number: string | null,
  chosen: { keyHolder?: KeyHolder | null | undefined; keyHolderIin?: string | null | undefined } = {},
): KeyRule {
  if (isPersonalType(type)) return { keyHolder: 'person', keyHolderIin: null }
  if (sideOf(type) === 'external' && isIndividual(number))
    return { keyHolder: 'person', keyHolderIin: number }
  const keyHolder = chosen.keyHolder ?? defaultKeyHolder(type)
  if (!hasKeyChoice(type, number)) return { keyHolder: defaultKeyHolder(type), keyHolderIin: null }
  return { keyHolder, keyHolderIin: keyHolder === 'person' ? (chosen.keyHolderIin ?? null) : null }
}

function isIndividual(number: string | null): boolean {
  return number !== null && number !== '' && isPersonNumber(number)
}

/** The strongest right that a certificate gives in its organisation. */
export const givenKeys = ['head', 'signingRight', 'employee', 'individual'] as const
export type GivenKey = (typeof givenKeys)[number]

export function givenKeyOf({ bin, roles }: { bin: string | null; roles: readonly string[] }): GivenKey {
  if (bin === null) return 'individual'
  if (roles.includes('head')) return 'head'
  return roles.includes('signing-right') ? 'signingRight' : 'employee'
}

/** Whether the role in the certificate is enough by itself. */
export function isRoleEnough(keyHolder: KeyHolder, given: GivenKey): boolean {
  switch (keyHolder) {
    case 'head':
      return given === 'head'
    case 'signingRight':
      return given === 'head' || given === 'signingRight'
    case 'employee':
    case 'person':
      return true
  }
}
