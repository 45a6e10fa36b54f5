import { describe, expect, test } from 'vitest'
import { inForce, pending } from './in-force.ts'
import { needsWarning, usageColour } from './tariffs.ts'

describe('the colour of the usage indicator', () => {
  test.each([
    [0, 100, 'green'],
    [24, 100, 'green'],
    [25, 100, 'green'],
    [26, 100, 'yellow'],
    [49, 100, 'yellow'],
    [50, 100, 'red'],
    [100, 100, 'red'],
    [101, 100, 'red'],
    [0, 0, 'red'],
    [5, null, 'green'],
  ] as const)('%s of %s is %s', (used, maximum, colour) => expect(usageColour(used, maximum)).toBe(colour))
})

describe('whether a warning is shown', () => {
  test.each([
    ['79 % used', 79, 100, null, false],
    ['80 % used', 80, 100, null, true],
    ['8 of the free 10', 8, 10, null, true],
    ['7 of the free 10', 7, 10, null, false],
    ['30 days left', 0, 100, 30, false],
    ['29 days left', 0, 100, 29, true],
    ['no limit, no end', 1_000_000, null, null, false],
    ['no limit, 29 days left', 0, null, 29, true],
  ] as const)('%s', (_, used, maximum, days, expected) =>
    expect(needsWarning(used, maximum, days)).toBe(expected),
  )
})

describe('the active subscription', () => {
  const term = (startDate: string, endDate: string) => ({ startDate, endDate })
  const bought = [
    term('2027-02-01', '2027-02-28'),
    term('2026-01-01', '2026-12-31'),
    term('2026-06-01', '2026-06-30'),
    term('2027-01-01', '2027-01-31'),
  ]

  test.each([
    ['2025-12-31', null],
    ['2026-01-01', '2026-01-01'],
    ['2026-06-01', '2026-06-01'],
    ['2026-06-30', '2026-06-01'],
    ['2026-07-01', '2026-01-01'],
    ['2026-12-31', '2026-01-01'],
    ['2027-03-01', null],
  ])('on %s is the one from %s', (today, start) => {
    expect(inForce(bought, today)?.startDate ?? null).toBe(start)
  })

  test('is followed by pending ones, the nearest first', () => {
    expect(pending(bought, '2026-12-31').map((s) => s.startDate)).toEqual(['2027-01-01', '2027-02-01'])
  })
})
