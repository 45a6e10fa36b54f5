import { expect, test } from 'vitest'
import type { PointType } from '../points/point-types.ts'
import type { PointStatus } from './status.ts'
import { areSameSteps, changesSides, placedAhead, whyNotAhead } from './steps-ahead.ts'

const step = (
  pointId: string,
  order: number,
  type: PointType,
  status: PointStatus = 'InQueue',
  wasReached = status !== 'InQueue',
) => ({ pointId, order, type, status, wasReached })

const lawyer = step('lawyer', 1, 'InternalApprove', 'Approved')
const head = step('head', 2, 'CompanyInternalSign', 'Waiting')
const accountant = step('accountant', 3, 'InternalApprove')
const partner = step('partner', 7, 'ExternalSign')
const points = [lawyer, head, accountant, partner]

test.each([
  ['nothing is ahead any more, but somebody signs', points, [], null],
  ['the others turned around', points, [partner, accountant], null],
  ['one that is asked now', points, [head], 'step-already-reached'],
  ['one that has answered', points, [lawyer, partner], 'step-already-reached'],
  ['the same twice', points, [partner, partner], 'step-already-reached'],
  ['the only one that would sign taken out', [lawyer, partner], [accountant], 'nobody-left-to-sign'],
  ['one that would sign in its place', [lawyer, partner], [step('other', 1, 'EmployeeInternalSign')], null],
  ['nobody was to sign', [lawyer, accountant], [], null],
  [
    'one whose people have had an earlier document taken out',
    [head, step('reached', 3, 'ExternalSign', 'InQueue', true)],
    [],
    'step-already-reached',
  ],
] as const)('steps ahead: %s', (_, before, ahead, alias) => {
  expect(whyNotAhead(before, ahead)).toBe(alias)
})

test('steps ahead are placed after those that have begun, and otherwise do not change', () => {
  const other = step('other', 5, 'InternalApprove')
  const placed = placedAhead(points, [{ ...partner, order: 5, type: 'InternalApprove' }, other])
  expect(placed).toEqual([
    { ...partner, order: 3 },
    { ...other, order: 3 },
  ])
  expect(placedAhead(points, [accountant])[0]).toBe(accountant)
})

test.each([
  [
    'other numbers',
    [accountant, partner],
    [
      { ...accountant, order: 1 },
      { ...partner, order: 2 },
    ],
    true,
  ],
  ['another turn', [accountant, partner], [accountant, { ...partner, order: 3 }], false],
  ['one less', [accountant, partner], [accountant], false],
])('whether steps are the same with %s', (_, before, after, isSame) => {
  expect(areSameSteps(before, after)).toBe(isSame)
})

test('sides change only if those who sign do', () => {
  expect(changesSides(points, [lawyer, head, partner])).toBe(false)
  expect(changesSides(points, [lawyer, head, accountant])).toBe(true)
})
