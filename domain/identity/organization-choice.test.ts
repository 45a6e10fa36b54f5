import { expect, test } from 'vitest'
import { chooseOrganization } from './organization-choice.ts'

const mine = [{ Id: 'a' }, { Id: 'b' }, { Id: 'c' }]

test.each([
  ['the organisation of the query is chosen if the person is a member', 'b', 'c', 'b'],
  ['otherwise the remembered one is chosen', 'x', 'c', 'c'],
  ['without a remembered one the first is chosen', undefined, undefined, 'a'],
  ['the first is chosen if the person has left the remembered one', undefined, 'x', 'a'],
])('%s', (_, query, remembered, chosen) => {
  expect(chooseOrganization(mine, query, remembered)).toBe(chosen)
})

test('without organisations there is nothing to choose', () => {
  expect(chooseOrganization([], 'a', 'b')).toBeNull()
})
