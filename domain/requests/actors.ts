/** Whom a point asks, and whose part it is that somebody does there. */
/**
 * A person with an account or an outsider: `id` names them, `numbers` are those they proved to be theirs, `standsInFor`
 * are colleagues who are away and have them act in the name of that organisation and no other.
 */
export type Actor = {
  id: string
  numbers: readonly string[]
  standsInFor?: { organizationId: string; people: readonly string[] }
}

export type AskedAt = {
  /** Whose people act: those of the group, or the owners of the organisation with the number. As of now, not of the sending. */
  participants: readonly string[]
  /** In whose name those people act; null: nobody here knows. */
  organizationId?: string | null
  /** The number outside that the point is for: who proves it may act too. */
  bin: string | null
}

/** Who is asked at a point: its people, who stands in for one of them, and whoever proved to be the number it is for. */
export function mayActAt(point: AskedAt, by: Actor): boolean {
  return isAskedThemselves(point, by) || absentAt(point, by).length > 0
}

/** Whose part an act of this person is: their own first, then that of somebody they stand in for; null: none is left. */
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
