import { expect, test } from 'vitest'
import { leavesSender } from './sender.ts'

const own = { organizationId: 'own' }

test.each([
  ['own points only', [own, own], false],
  ['a number outside', [own, { organizationId: null }], true],
  ["a counterparty's point", [own, { organizationId: 'other' }], true],
  ['no points', [], false],
])('whether a route leaves the sender: %s', (_, points, leaves) => {
  expect(leavesSender(points, 'own')).toBe(leaves)
})
