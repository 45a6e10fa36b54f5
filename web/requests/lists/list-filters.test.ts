import { expect, test } from 'vitest'
import { filtersOf, shownFilters } from './list-filters.ts'

test('filters that do not apply to a list are ignored', () => {
  const search = { status: 8, signedStatus: 1, ownScope: 3, name: 'Договор', page: 2 }
  expect(filtersOf(search, 'incomings', true)).toEqual({ status: 8, signedStatus: 1 })
  expect(filtersOf(search, 'outgoings', true)).toEqual({ status: 8, ownScope: 3 })
  expect(filtersOf(search, 'outgoings', false)).toEqual({ status: 8 })
})

test('all statuses, unknown statuses and reversed dates are ignored as filters', () => {
  expect(filtersOf({ status: 2047 }, 'incomings', false)).toEqual({})
  expect(filtersOf({ status: 4096 + 2 }, 'incomings', false)).toEqual({ status: 2 })
  expect(filtersOf({ signedStatus: 3 }, 'incomings', false)).toEqual({})
  expect(filtersOf({ from: '2026-11-15', to: '2026-11-14' }, 'incomings', false)).toEqual({
    from: '2026-11-15',
  })
})

test.each([
  ['incomings', {}, 4, { signedStatus: 1 }],
  ['incomings', {}, 0, {}],
  ['incomings', { signedStatus: 3 }, 4, {}],
  ['incomings', { name: 'Договор' }, 4, {}],
  ['incomings', { status: 8 }, 4, { status: 8 }],
  ['outgoings', {}, 4, {}],
] as const)('the list of %s with the search %j and %i waiting shows %j', (path, search, waiting, shown) => {
  expect(shownFilters(filtersOf(search, path, true), { path, search, waiting })).toEqual(shown)
})
