/** A condition while it is being edited: every field is a text or a list, and may be empty. */
import { groupAmount } from '@kelisim/domain/amounts.ts'
import { numberIn, type Condition, type Term } from '@kelisim/domain/routes/condition.ts'

export const subjects = ['amount', 'kind', 'counterparty', 'variable'] as const
export type Subject = (typeof subjects)[number]

const isOrNot = ['is', 'isNot'] as const
const overOrNot = ['over', 'upTo'] as const
export type Test = (typeof isOrNot)[number] | (typeof overOrNot)[number]

export type TermDraft = {
  subject: Subject
  test: Test
  amount: string
  kinds: { id: string; name: string }[]
  counterparties: { bin: string; name: string }[]
  name: string
  value: string
}

export type ConditionDraft = { join: Condition['join']; terms: TermDraft[] }

const testsOf: Record<Subject, readonly Test[]> = {
  amount: overOrNot,
  kind: isOrNot,
  counterparty: isOrNot,
  variable: [...isOrNot, ...overOrNot],
}

export function testsFor(subject: Subject): readonly Test[] {
  return testsOf[subject]
}

export const newTerm: TermDraft = {
  subject: 'amount',
  test: 'over',
  amount: '',
  kinds: [],
  counterparties: [],
  name: '',
  value: '',
}

/** Changes the subject and keeps the comparison if the new subject has it. */
export function withSubject(term: TermDraft, subject: Subject): TermDraft {
  const tests = testsOf[subject]
  return { ...term, subject, test: tests.includes(term.test) ? term.test : tests[0]! }
}

export function draftOf(condition: Condition | null): ConditionDraft {
  if (condition === null) return { join: 'and', terms: [newTerm] }
  return { join: condition.join, terms: condition.terms.map(termDraft) }
}

function termDraft(term: Term): TermDraft {
  const shared = { ...newTerm, subject: term.subject, test: term.test }
  switch (term.subject) {
    case 'amount':
      return { ...shared, amount: groupAmount(String(term.amount).replace('.', ',')) }
    case 'kind':
      return { ...shared, kinds: term.kinds }
    case 'counterparty':
      return { ...shared, counterparties: term.counterparties }
    case 'variable':
      return { ...shared, name: term.name, value: term.value }
  }
}

/** Null: the term is not complete. */
export function termOf({ subject, test, ...draft }: TermDraft): Term | null {
  const name = draft.name.trim()
  const value = draft.value.trim()
  const isNot = test === 'isNot' ? 'isNot' : 'is'
  switch (subject) {
    case 'amount': {
      const amount = numberIn(draft.amount)
      return amount === null ? null : { subject, test: test === 'upTo' ? 'upTo' : 'over', amount }
    }
    case 'kind':
      return draft.kinds.length === 0 ? null : { subject, test: isNot, kinds: draft.kinds }
    case 'counterparty':
      return draft.counterparties.length === 0
        ? null
        : { subject, test: isNot, counterparties: draft.counterparties }
    case 'variable': {
      const isComparable = test === 'is' || test === 'isNot' || numberIn(value) !== null
      return name === '' || value === '' || !isComparable ? null : { subject, test, name, value }
    }
  }
}

/** Null: a term is not complete, or there is none. */
export function conditionOf({ join, terms }: ConditionDraft): Condition | null {
  const complete = terms.flatMap((term) => termOf(term) ?? [])
  return complete.length === terms.length && terms.length > 0 ? { join, terms: complete } : null
}
