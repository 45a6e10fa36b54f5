/** Who may act at a point, and for whom they act. */
import { isRoleEnough, type GivenKey, type KeyRule } from '../points/key-holder.ts'
import { powerFor, type Power, type SignedMatter } from '../powers-of-attorney/power.ts'

/**
 * A person with an account or an outsider. `numbers` are the BIN and IIN that they have proved; `standsInFor` are absent
 * colleagues for whom they act in that organisation only.
 */
export type Actor = {
  id: string
  numbers: readonly string[]
  standsInFor?: { organizationId: string; people: readonly string[] }
  /** The key with which an outsider came, and the powers of attorney that its owner holds. */
  key?: PresentedKey
}

export type PresentedKey = { iin: string; given: GivenKey; powers: readonly Power[] }

export type AskedAt = {
  /** The current participants of the group, or those who act on what comes to the organisation with the number. */
  participants: readonly string[]
  /** The organisation they act for; null if it is unknown here. */
  organizationId?: string | null
  /** The number of an external point: anybody who proves it is asked too. */
  bin: string | null
  /** Whose key the point takes; left out where nobody acts by a number. */
  keyRule?: KeyRule
  /** The document as the side of this point sees it. */
  matter?: SignedMatter
}

/** Participants, their substitutes, and people who proved the number of the point: they may read the document. */
export function isAskedAt(point: AskedAt, by: Actor): boolean {
  return isAskedThemselves(point, by) || absentAt(point, by).length > 0
}

/** Whoever is asked by the number alone acts only with a key that the point takes. */
export function mayActAt(point: AskedAt, by: Actor, now: Date): boolean {
  if (point.participants.includes(by.id) || absentAt(point, by).length > 0) return true
  return isAskedThemselves(point, by) && isKeyTaken(point, by.key, now)
}

/** For whom an act of this person counts: first for themselves, then for an absent colleague; null if all have acted. */
export function partOf(point: AskedAt & { acted: readonly string[] }, by: Actor): string | null {
  const parts = [...(isAskedThemselves(point, by) ? [by.id] : []), ...absentAt(point, by)]
  return parts.find((id) => !point.acted.includes(id)) ?? null
}

/** An individual who acts for their own IIN needs no role. */
function isKeyTaken({ bin, keyRule, matter }: AskedAt, key: PresentedKey | undefined, now: Date): boolean {
  if (!key || !keyRule || bin === key.iin) return true
  const { keyHolder, keyHolderIin } = keyRule
  if (keyHolder === 'person') return keyHolderIin === key.iin
  if (key.given !== 'individual' && isRoleEnough(keyHolder, key.given)) return true
  return matter !== undefined && powerFor(key.powers, key.iin, matter, now).verdict === 'valid'
}

export function isAskedThemselves({ participants, bin }: AskedAt, { id, numbers }: Actor): boolean {
  return participants.includes(id) || (bin !== null && numbers.includes(bin))
}

/** The absent colleagues of this person who are asked there. */
export function absentAt({ participants, organizationId }: AskedAt, { standsInFor }: Actor): string[] {
  if (!standsInFor || standsInFor.organizationId !== organizationId) return []
  return standsInFor.people.filter((id) => participants.includes(id))
}
