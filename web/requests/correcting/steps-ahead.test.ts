import { expect, test } from 'vitest'
import { point, request } from '../shared/testing-requests.ts'
import { areSame, inputOf, splitSteps } from './steps-ahead.ts'

const running = request([
  point('a', 'InternalApprove', 'Approved', { order: 1 }),
  point('b', 'InternalApprove', 'Waiting', { order: 2 }),
  point('c', 'InternalApprove', 'InQueue', { order: 3, groupName: 'Юристы' }),
  point('d', 'ExternalSign', 'InQueue', { order: 3, organizationName: 'ТОО «Партнёр»', bin: '240540017348' }),
  point('e', 'CompanyInternalSign', 'InQueue', { order: 7 }),
])

const idsOf = (steps: readonly (readonly { pointId: string }[])[]) =>
  steps.map((step) => step.map(({ pointId }) => pointId))

test('steps are ahead while nobody is asked there', () => {
  const { begun, ahead } = splitSteps(running, 'own')
  expect(idsOf(begun)).toEqual([['a'], ['b']])
  expect(idsOf(ahead)).toEqual([['c', 'd'], ['e']])
  expect(ahead.flat().map(({ who }) => who)).toEqual(['Юристы', 'ТОО «Партнёр»', 'e'])
})

test('the call gets the steps ahead in turns from one, with the terms of those that were added', () => {
  const { ahead } = splitSteps(running, 'own')
  const escalation = { kind: 'person' as const, id: 'boss', mayAct: true, name: 'Руководитель' }
  const added = { ...ahead[0][0], pointId: 'new', termDays: 3, escalation }
  expect(inputOf([...ahead, [added]])).toEqual([
    { pointId: 'c', order: 1, termDays: null, escalation: null },
    { pointId: 'd', order: 1, termDays: null, escalation: null },
    { pointId: 'e', order: 2, termDays: null, escalation: null },
    { pointId: 'new', order: 3, termDays: 3, escalation: { kind: 'person', id: 'boss', mayAct: true } },
  ])
})

test('steps are the same if the same points act in the same turns', () => {
  const { ahead } = splitSteps(running, 'own')
  const [together, last] = [ahead[0], ahead[1]]
  expect(areSame(ahead, [together.toReversed(), last])).toBe(true)
  expect(areSame(ahead, [last, together])).toBe(false)
  expect(areSame(ahead, [together])).toBe(false)
  expect(areSame([], [])).toBe(true)
})
