/** Who may act at a point, and for whom they act. */
import { isRoleEnough, type GivenKey, type KeyRule } from '../points/key-holder.ts'
import { isInScope, type Power, type SignedMatter } from '../powers-of-attorney/power.ts'

/**
 * A person with an account or an outsider. `numbers` are the BIN and IIN that they have proved; `standsInFor` names
 * absent colleagues for whom they act, in that organisation only.
 */
export type Actor = {
  id: string
  numbers: readonly string[]
  standsInFor?: { organizationId: string; people: readonly string[] }
  /** The IIN of a person with an account, if it is known. */
  iin?: string | null
  /** The key with which an outsider signed in, and the powers of attorney in force that its owner holds. */
  key?: PresentedKey
}

export type PresentedKey = { iin: string; given: GivenKey; powers: readonly Power[] }

export type AskedAt = {
  /** The current participants of the group, or the people who act on requests to the number of their organisation. */
  participants: readonly string[]
  /** People who may answer for all participants, because the deadline has passed. */
  inPlace?: readonly string[]
  /** Each participant answers only for themselves, because nobody can acknowledge a document for somebody else. */
  isPersonal?: boolean
  /** The organisation they act for; null if it is unknown here. */
  organizationId?: string | null
  /** The number of an external point: anybody who proves this number is asked too. */
  bin: string | null
  /** Whose key the point takes; left out for points at which nobody acts by a number. */
  keyRule?: KeyRule
  /** The document as the side of this point sees it. */
  matter?: SignedMatter
}

/**
 * Whether the actor may read the document at the point: participants, their substitutes, and people who proved the
 * number of the point or act for it.
 */
export function isAskedAt(point: AskedAt, by: Actor): boolean {
  return isAskedThemselves(point, by) || absentAt(point, by).length > 0
}

/** Somebody who is asked only by the number may act only with a key that the point takes. */
export function mayActAt(point: AskedAt, by: Actor): boolean {
  if (answering(point).includes(by.id) || absentAt(point, by).length > 0) return true
  return isAskedThemselves(point, by) && isKeyTaken(point, by.key)
}

/**
 * Whether the point takes only the key of another, named person: others who are asked may read and reject, not sign.
 */
export function isAnotherNamed({ keyRule }: AskedAt, { iin }: Actor): boolean {
  const named = keyRule?.keyHolder === 'person' ? keyRule.keyHolderIin : null
  return named !== null && !!iin && iin !== named
}

/**
 * For whom an act of this person counts: first for themselves, then for an absent colleague; null if all have acted.
 */
export function partOf(point: AskedAt & { acted: readonly string[] }, by: Actor): string | null {
  const parts = [...(isAskedThemselves(point, by) ? [by.id] : []), ...absentAt(point, by)]
  return parts.find((id) => !point.acted.includes(id)) ?? null
}

/** Whether the point takes this key; an individual who acts for their own IIN needs no role. */
function isKeyTaken(point: AskedAt, key: PresentedKey | undefined): boolean {
  const { bin, keyRule } = point
  if (!key || !keyRule || bin === key.iin) return true
  const { keyHolder, keyHolderIin } = keyRule
  if (keyHolder === 'person') return keyHolderIin === key.iin
  if (key.given !== 'individual' && isRoleEnough(keyHolder, key.given)) return true
  return isRepresented(point, key)
}

/** Whether the key's owner holds a power of attorney for this very document; other powers do not even open it. */
export function isRepresented({ bin, matter }: AskedAt, { iin, powers }: PresentedKey): boolean {
  if (bin === null || matter === undefined) return false
  return powers.some((power) => power.holderIin === iin && isInScope(power, matter))
}

export function isAskedThemselves(point: AskedAt, { id, numbers, key }: Actor): boolean {
  const { bin } = point
  if (answering(point).includes(id) || (bin !== null && numbers.includes(bin))) return true
  return key !== undefined && isRepresented(point, key)
}

/** The absent colleagues who are asked at the point and for whom this person acts. */
export function absentAt(point: AskedAt, { standsInFor }: Actor): string[] {
  if (point.isPersonal || !standsInFor || standsInFor.organizationId !== point.organizationId) return []
  return standsInFor.people.filter((id) => answering(point).includes(id))
}

function answering({ participants, inPlace = [] }: AskedAt): string[] {
  return [...participants, ...inPlace]
}
