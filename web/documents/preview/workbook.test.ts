import { expect, test } from 'vitest'
import { columnOf, shown } from './workbook.ts'

test.each([
  ['A1', 0],
  ['Z10', 25],
  ['AA3', 26],
  ['XFD1048576', 16383],
  ['1A', null],
  [null, null],
])('the cell %s is in column %s', (place, column) => {
  expect(columnOf(place)).toBe(column)
})

test.each([
  [98500.5, null, '98\u00a0500,5'],
  [0.125, 'percent', '12,5\u00a0%'],
  [46341, 'date', '15.11.2026'],
  [46341.5, 'moment', '15.11.2026 12:00'],
  [0.75, 'time', '18:00'],
  [1e300, 'date', shown(1e300, null)],
  [Number.NaN, null, ''],
] as const)('%d in the format %s is shown as %s', (value, format, text) => {
  expect(shown(value, format)).toBe(text)
})
