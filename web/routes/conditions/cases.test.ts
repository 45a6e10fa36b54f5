import { expect, test } from 'vitest'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import { casesOf, differentConditions, verdictIn } from './cases.ts'

const over = (amount: number): Condition => ({
  join: 'and',
  terms: [{ subject: 'amount', test: 'over', amount }],
})
const steps = [over(1), null, over(2), over(1)].map((condition) => ({ condition }))

test('the same condition at two points is one case', () => {
  const conditions = differentConditions(steps)
  expect(conditions).toEqual([over(1), over(2)])
  expect(casesOf(conditions)).toEqual(['all', 'none', 0, 1])
  expect(casesOf([over(1)])).toEqual(['all', 'none'])
})

test('a case shows for each point whether it is taken', () => {
  const conditions = differentConditions(steps)
  const taken = (shown: 'all' | 'none' | number) =>
    steps.map(({ condition }) => verdictIn(shown, conditions, condition))
  expect(taken('all')).toEqual(['met', null, 'met', 'met'])
  expect(taken('none')).toEqual(['notMet', null, 'notMet', 'notMet'])
  expect(taken(1)).toEqual(['notMet', null, 'met', 'notMet'])
})
