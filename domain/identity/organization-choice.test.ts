import { expect, test } from 'vitest'
import { chooseOrganization } from './organization-choice.ts'

const mine = [{ Id: 'a' }, { Id: 'b' }, { Id: 'c' }]

test.each([
  ['the query wins if it is the person’s', 'b', 'c', 'b'],
  ['a foreign one in the query gives way to the remembered', 'x', 'c', 'c'],
  ['nothing remembered: the first', undefined, undefined, 'a'],
  ['a remembered one that is no longer theirs: the first', undefined, 'x', 'a'],
])('%s', (_, query, remembered, chosen) => {
  expect(chooseOrganization(mine, query, remembered)).toBe(chosen)
})

test('without organisations there is nothing to choose', () => {
  expect(chooseOrganization([], 'a', 'b')).toBeNull()
})
