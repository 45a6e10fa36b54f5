import { expect, test } from 'vitest'
import type { StoredConditions } from '../../routes/condition-contract.ts'
import { seenRevisions, whyNotReplace } from './correction.ts'

type Judged = StoredConditions['points'][number]

function conditions(terms: Judged['condition']['terms'], verdict: Judged['verdict']): StoredConditions {
  const point = { pointId: 'p', order: 1, name: 'Правление', type: 1, organizationName: '' }
  const facts = { kind: null, amount: 1, variables: {}, counterparties: [] }
  return { facts, points: [{ ...point, condition: { join: 'and', terms }, verdict }] }
}

test.each<[string, Judged['condition']['terms'], Judged['verdict'], string | null]>([
  ['an amount', [{ subject: 'amount', test: 'over', amount: 5 }], 'notMet', 'correction-needs-sending-again'],
  [
    'a variable',
    [{ subject: 'variable', test: 'is', name: 'город', value: 'Алматы' }],
    'notMet',
    'correction-needs-sending-again',
  ],
  [
    'a kind, which the document does not change',
    [{ subject: 'kind', test: 'is', kinds: [] }],
    'notMet',
    null,
  ],
  ['an amount that took the point', [{ subject: 'amount', test: 'over', amount: 5 }], 'met', null],
])('correcting a request whose condition asks for %s', (_, terms, verdict, alias) => {
  expect(whyNotReplace(conditions(terms, verdict))).toBe(alias)
})

test('a request without conditions may be corrected', () => {
  expect(whyNotReplace(null)).toBeNull()
})

test.each([
  ['always', [1, 2, 3]],
  [4, [1, 2, 3]],
  [5, [2, 3]],
  [7, [2, 3]],
  [9, [3]],
  [null, [3]],
] as const)('somebody whom the request reached with event %s sees the revisions %s', (reachedAt, seen) => {
  const revisions = [1, 5, 9].map((fromEvent, i) => ({ revision: i + 1, fromEvent }))
  expect(seenRevisions(revisions, reachedAt).map(({ revision }) => revision)).toEqual(seen)
})
