/**
 * A colleague acts for an absent member on agreed days. There are no chains, because a substitute must not be absent
 * themselves; without chains there are no cycles either.
 */
import { dateInAlmaty } from '../calendar.ts'
import { day } from '../durations.ts'
import type { Alias } from '../errors.ts'

export type Substitution = {
  absentId: string
  substituteId: string
  /** Days in Almaty, both included. */
  from: string
  to: string
}

/** The longest substitution; for a longer absence the organisation should replace the person. */
export const longestDays = 366

/** `existing`: the substitutions of the same organisation that have not been ended. */
export function whyNotSubstitute(
  wanted: Substitution,
  existing: readonly Substitution[],
  now: Date,
): Alias | null {
  if (wanted.absentId === wanted.substituteId) return 'substitute-is-oneself'
  if (wanted.from > wanted.to || wanted.from < dateInAlmaty(now)) return 'substitution-wrong-period'
  if (daysBetween(wanted.from, wanted.to) >= longestDays) return 'substitution-too-long'
  const meanwhile = existing.filter((other) => overlap(wanted, other))
  if (meanwhile.some(({ absentId }) => absentId === wanted.absentId)) return 'already-substituted'
  if (meanwhile.some(({ absentId }) => absentId === wanted.substituteId)) return 'substitute-is-away'
  if (meanwhile.some(({ substituteId }) => substituteId === wanted.absentId)) return 'substitutes-another'
  return null
}

export type SubstitutionState = 'coming' | 'now' | 'past' | 'ended'

export function stateOf(
  { from, to, endedAt }: Pick<Substitution, 'from' | 'to'> & { endedAt: Date | null },
  now: Date,
): SubstitutionState {
  const today = dateInAlmaty(now)
  if (endedAt !== null) return 'ended'
  if (today > to) return 'past'
  return today < from ? 'coming' : 'now'
}

/** Either of the two people may end a substitution that is not over yet. */
export function mayEnd(
  substitution: Substitution & { endedAt: Date | null },
  userId: string,
  now: Date,
): boolean {
  const isTheirs = [substitution.absentId, substitution.substituteId].includes(userId)
  return isTheirs && ['coming', 'now'].includes(stateOf(substitution, now))
}

function overlap(one: Pick<Substitution, 'from' | 'to'>, other: Pick<Substitution, 'from' | 'to'>): boolean {
  return one.from <= other.to && other.from <= one.to
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day)
}
