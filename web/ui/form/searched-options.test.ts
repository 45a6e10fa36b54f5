import { expect, test } from 'vitest'
import { fittingOptions } from './searched-options.ts'

const option = (label: string) => ({ value: label, label })
const options = ['Аренда', 'Поставки', 'Поставки 2026'].map(option)
const labels = (typed: string, isSearching: boolean) =>
  fittingOptions(options, typed, isSearching).map((one) => 'label' in one && one.label)

test('while the server looks, only what fits the words is offered of what was found before', () => {
  expect(labels(' пост', true)).toEqual(['Поставки', 'Поставки 2026'])
  expect(labels('услуги', true)).toEqual([])
})

test('what the server found is offered whole, and so is everything before a word is typed', () => {
  expect(labels('услуги', false)).toHaveLength(3)
  expect(labels(' ', true)).toHaveLength(3)
})

test('in groups, each keeps what fits', () => {
  const groups = [{ group: 'Мои', items: options }]
  expect(fittingOptions(groups, '2026', true)).toEqual([{ group: 'Мои', items: [option('Поставки 2026')] }])
})
