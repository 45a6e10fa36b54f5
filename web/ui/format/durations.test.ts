import { expect, test } from 'vitest'
import { formatHours } from './durations.ts'

test.each([
  [0.001, '1 мин'],
  [0.5, '30 мин'],
  [1.5, '1,5 ч'],
  [47, '47 ч'],
  [48, '2 дн.'],
  [24 * 14, '14 дн.'],
])('%s hours are %s', (hours, written) => {
  expect(formatHours(hours, 'ru').replaceAll('\u00a0', ' ')).toBe(written)
})
