import { expect, test } from 'vitest'
import { searchOf } from './search.ts'

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
