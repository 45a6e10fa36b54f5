import { expect, test } from 'vitest'
import { dateOf, formatDate, maskDate, onlyDigitsAndPeriod } from './dates.ts'

test('a calendar date is written as everybody here writes it, whatever the zone', () => {
  expect(formatDate('2026-01-09')).toBe('09.01.2026')
})

test.each([
  ['1', '1'],
  ['15', '15'],
  ['151', '15.1'],
  ['1511', '15.11'],
  ['15112', '15.11.2'],
  ['15.11.2026', '15.11.2026'],
  ['15112026999', '15.11.2026'],
  ['1a5b', '15'],
  ['', ''],
])('the mask turns %j into %j', (typed, shown) => {
  expect(maskDate(typed)).toBe(shown)
})

test('a numeric field takes digits and a period only', () => {
  expect(onlyDigitsAndPeriod('1 2a.3-')).toBe('12.3')
})

test.each([
  ['15.11.2026', '2026-11-15'],
  ['29.02.2028', '2028-02-29'],
  ['29.02.2027', null],
  ['31.04.2026', null],
  ['15.13.2026', null],
  ['15.11.26', null],
  ['', null],
])('%j is the day %j', (typed, date) => {
  expect(dateOf(typed)).toBe(date)
})
