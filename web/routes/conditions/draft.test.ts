import { expect, test } from 'vitest'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { conditionOf, draftOf, newTerm, termOf, withSubject } from './draft.ts'

const condition: Condition = {
  join: 'or',
  terms: [
    { subject: 'amount', test: 'upTo', amount: 1_250_000.5 },
    { subject: 'kind', test: 'isNot', kinds: [{ id: 'k1', name: 'Договор' }] },
    { subject: 'counterparty', test: 'is', counterparties: [{ bin: '240540017348', name: 'Алтын Дала' }] },
    { subject: 'variable', test: 'over', name: 'Срок', value: '30' },
  ],
}

test('a condition that is opened and closed stays the same', () => {
  expect(conditionOf(draftOf(condition))).toEqual(condition)
})

test('a new condition begins with one term that is not complete', () => {
  const draft = draftOf(null)
  expect(draft.terms).toEqual([newTerm])
  expect(conditionOf(draft)).toBeNull()
})

test.each([
  ['an amount without digits', { amount: ' ' }],
  ['no kind', { subject: 'kind', test: 'is' }],
  ['no counterparty', { subject: 'counterparty', test: 'is' }],
  ['a variable without a name', { subject: 'variable', test: 'is', value: 'Астана' }],
  ['a variable without a value', { subject: 'variable', test: 'is', name: 'Город', value: ' ' }],
  ['a bound that is no number', { subject: 'variable', test: 'over', name: 'Срок', value: 'год' }],
] as const)('%s is not complete', (_, change) => {
  expect(termOf({ ...newTerm, ...change })).toBeNull()
})

test('changing the subject keeps the comparison if the new subject has it', () => {
  expect(withSubject({ ...newTerm, test: 'upTo' }, 'variable').test).toBe('upTo')
  expect(withSubject({ ...newTerm, test: 'upTo' }, 'kind').test).toBe('is')
})
