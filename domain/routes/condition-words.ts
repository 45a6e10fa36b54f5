/** The text of a condition, as the rest of a sentence that begins with "only if". */
import { groupAmount } from '../amounts.ts'
import type { Condition, Term } from './condition.ts'

type Key =
  | `conditions.terms.${'kind' | 'counterparty'}.${'is' | 'isNot'}`
  | `conditions.terms.amount.${'over' | 'upTo'}`
  | `conditions.terms.variable.${'is' | 'isNot' | 'over' | 'upTo'}`
  | `conditions.join.${'and' | 'or'}`

/** Finds a text of texts/…/points.json. */
export type Say = (key: Key, values?: Record<string, string>) => string

export function conditionText({ join, terms }: Condition, say: Say): string {
  return terms.map((term) => termText(term, say)).join(` ${say(`conditions.join.${join}`)} `)
}

function termText(term: Term, say: Say): string {
  const either = ` ${say('conditions.join.or')} `
  switch (term.subject) {
    case 'kind':
      return say(`conditions.terms.kind.${term.test}`, {
        names: term.kinds.map(({ name }) => name).join(either),
      })
    case 'counterparty':
      return say(`conditions.terms.counterparty.${term.test}`, {
        names: term.counterparties.map(({ bin, name }) => name || bin).join(either),
      })
    case 'amount':
      return say(`conditions.terms.amount.${term.test}`, { amount: shownAmount(term.amount) })
    case 'variable':
      return say(`conditions.terms.variable.${term.test}`, { name: term.name, value: term.value })
  }
}

export function shownAmount(amount: number): string {
  return groupAmount(String(amount).replace('.', ','))
}
