import { expect, test } from 'vitest'
import { parseSearch, searchOf, stringifySearch } from './search.ts'

test('known parameters are kept with their types', () => {
  expect(
    searchOf({
      organizationId: 'abc',
      page: 2,
      take: '25',
      name: 114,
      upload: true,
      changeAccount: 'true',
      returnUri: '/x',
    }),
  ).toEqual({
    organizationId: 'abc',
    page: 2,
    take: 25,
    name: '114',
    upload: true,
    changeAccount: true,
    returnUri: '/x',
  })
})

test('invalid and unknown parameters are dropped', () => {
  expect(searchOf({ page: -1, take: 5000, name: ['a'], organizationId: { $ne: 1 }, other: 'x' })).toEqual({})
})

test.each([
  '70e02811',
  '1.10',
  '007',
  '12345678901234567890',
  '-0',
  'true',
  'null',
  '[1]',
  '{"a":1}',
  '"Дала"',
  'Договор № 5',
])('a text in the address stays as it is written, also if it is JSON: %s', (name) => {
  const typedByHand = `?name=${encodeURIComponent(name)}`
  if (!name.startsWith('"')) expect(searchOf(parseSearch(typedByHand))).toEqual({ name })
  expect(searchOf(parseSearch(stringifySearch({ name })))).toEqual({ name })
})

test('an address of an earlier version, with a text in quotes, still opens the same list', () => {
  const before = '?name=%22114%22&page=2&isOverdue=true'
  expect(searchOf(parseSearch(before))).toEqual({ name: '114', page: 2, isOverdue: true })
})
