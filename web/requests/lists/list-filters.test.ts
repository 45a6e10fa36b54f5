import { expect, test } from 'vitest'
import { filtersOf } from './list-filters.ts'

test('what means nothing in a list is left out of what is asked', () => {
  const search = { status: 8, signedStatus: 1, ownScope: 3, name: 'Договор', page: 2 }
  expect(filtersOf(search, 'incomings', true)).toEqual({ status: 8, signedStatus: 1 })
  expect(filtersOf(search, 'outgoings', true)).toEqual({ status: 8, ownScope: 3 })
  expect(filtersOf(search, 'outgoings', false)).toEqual({ status: 8 })
})

test('all statuses, unknown ones and dates that run backwards are no filter', () => {
  expect(filtersOf({ status: 2047 }, 'incomings', false)).toEqual({})
  expect(filtersOf({ status: 4096 + 2 }, 'incomings', false)).toEqual({ status: 2 })
  expect(filtersOf({ signedStatus: 3 }, 'incomings', false)).toEqual({})
  expect(filtersOf({ from: '2026-11-15', to: '2026-11-14' }, 'incomings', false)).toEqual({
    from: '2026-11-15',
  })
})
