/** Who is told when the deadline of a point passes, and whether they may then answer for all its people. */

export const escalationKinds = ['person', 'group'] as const
export type EscalationKind = (typeof escalationKinds)[number]

/** An escalation in a route. The person or group belongs to the organisation whose people act at the point. */
export type EscalationTo = { kind: EscalationKind; id: string; mayAct: boolean }

/** An escalation in a request, with the people of the group. */
export type Escalation = { people: readonly string[]; mayAct: boolean }

/** People who may answer for the whole point, by one answer; participants still answer for themselves. */
export function inPlaceOf(
  escalation: Escalation | null | undefined,
  participants: readonly string[],
): readonly string[] {
  return escalation?.mayAct ? escalation.people.filter((id) => !participants.includes(id)) : []
}

export function sameEscalation(one: EscalationTo | null, other: EscalationTo | null): boolean {
  return one?.kind === other?.kind && one?.id === other?.id && one?.mayAct === other?.mayAct
}
