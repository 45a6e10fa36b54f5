import { expect, test } from 'vitest'
import { fittingOptions } from './searched-options.ts'

const option = (label: string) => ({ value: label, label })
const options = ['Аренда', 'Поставки', 'Поставки 2026'].map(option)
const labels = (typed: string, isSearching: boolean) =>
  fittingOptions(options, typed, isSearching).map((one) => 'label' in one && one.label)

test('while the server searches, only earlier results that fit the typed text are offered', () => {
  expect(labels(' пост', true)).toEqual(['Поставки', 'Поставки 2026'])
  expect(labels('услуги', true)).toEqual([])
})

test('all results of the server are offered, and all options before anything is typed', () => {
  expect(labels('услуги', false)).toHaveLength(3)
  expect(labels(' ', true)).toHaveLength(3)
})

test('groups keep the options that fit', () => {
  const groups = [{ group: 'Мои', items: options }]
  expect(fittingOptions(groups, '2026', true)).toEqual([{ group: 'Мои', items: [option('Поставки 2026')] }])
})
