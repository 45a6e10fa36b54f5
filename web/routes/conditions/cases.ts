/** The cases of a route with conditions, for a rehearsal without a document: each says which conditions are met. */
import { sameCondition, type Condition, type Verdict } from '@kelisim/domain/routes/condition.ts'

/** All conditions are met, none is, or only the condition with this index. */
export type Case = 'all' | 'none' | number

/** Each different condition once, in the order of the steps. */
export function differentConditions(steps: readonly { condition: Condition | null }[]): Condition[] {
  const found: Condition[] = []
  for (const { condition } of steps) {
    if (condition && !found.some((one) => sameCondition(one, condition))) found.push(condition)
  }
  return found
}

/** With a single condition, the case "only this one" would be the same as "all". */
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
