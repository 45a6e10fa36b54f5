/** The cases of a route with conditions: which of them are met, for a rehearsal without a document. */
import { sameCondition, type Condition, type Verdict } from '@kelisim/domain/routes/condition.ts'

/** All conditions are met, none is, or only the one with this number. */
export type Case = 'all' | 'none' | number

/** Each condition once, as the steps come. */
export function differentConditions(steps: readonly { condition: Condition | null }[]): Condition[] {
  const found: Condition[] = []
  for (const { condition } of steps) {
    if (condition && !found.some((one) => sameCondition(one, condition))) found.push(condition)
  }
  return found
}

/** With one condition, "only it" is the same as "all". */
export function casesOf(conditions: readonly Condition[]): Case[] {
  return ['all', 'none', ...(conditions.length > 1 ? conditions.keys() : [])]
}

export function verdictIn(
  shown: Case,
  conditions: readonly Condition[],
  condition: Condition | null,
): Verdict | null {
  if (condition === null) return null
  if (shown === 'all' || shown === 'none') return shown === 'all' ? 'met' : 'notMet'
  const chosen = conditions[shown]
  return chosen && sameCondition(chosen, condition) ? 'met' : 'notMet'
}
