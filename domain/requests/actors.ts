/** Who may act at a point, and for whom they act. */
/**
 * A person with an account or an outsider. `numbers` are the BIN and IIN that they have proved; `standsInFor` are absent
 * colleagues for whom they act in that organisation only.
 */
export type Actor = {
  id: string
  numbers: readonly string[]
  standsInFor?: { organizationId: string; people: readonly string[] }
}

export type AskedAt = {
  /** The current participants of the group, or the owners of the organisation with the number. */
  participants: readonly string[]
  /** The organisation they act for; null if it is unknown here. */
  organizationId?: string | null
  /** The number of an external point: anybody who proves it may act too. */
  bin: string | null
}

/** Participants may act, their substitutes, and people who proved the number of the point. */
export function mayActAt(point: AskedAt, by: Actor): boolean {
  return isAskedThemselves(point, by) || absentAt(point, by).length > 0
}

/** For whom an act of this person counts: first for themselves, then for an absent colleague; null if all have acted. */
export function partOf(point: AskedAt & { acted: readonly string[] }, by: Actor): string | null {
  const parts = [...(isAskedThemselves(point, by) ? [by.id] : []), ...absentAt(point, by)]
  return parts.find((id) => !point.acted.includes(id)) ?? null
}

function isAskedThemselves({ participants, bin }: AskedAt, { id, numbers }: Actor): boolean {
  return participants.includes(id) || (bin !== null && numbers.includes(bin))
}

function absentAt({ participants, organizationId }: AskedAt, { standsInFor }: Actor): string[] {
  if (!standsInFor || standsInFor.organizationId !== organizationId) return []
  return standsInFor.people.filter((id) => participants.includes(id))
}
