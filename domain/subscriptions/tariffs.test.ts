import { describe, expect, test } from 'vitest'
import { inForce, pending } from './in-force.ts'
import { usageColour, usageWarning } from './tariffs.ts'

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

describe('the warning about usage', () => {
  test.each([
    ['79 % used', 79, 100, null, null],
    ['80 % used', 80, 100, null, 'nearLimit'],
    ['8 of the free 10', 8, 10, null, 'nearLimit'],
    ['7 of the free 10', 7, 10, null, null],
    ['10 of the free 10', 10, 10, null, 'usedUp'],
    ['30 days left', 0, 100, 30, null],
    ['29 days left', 0, 100, 29, 'nearEnd'],
    ['the limit is nearer than the end', 90, 100, 29, 'nearLimit'],
    ['no limit, no end', 1_000_000, null, null, null],
    ['no limit, 29 days left', 0, null, 29, 'nearEnd'],
  ] as const)('%s', (_, used, maximum, daysLeft, expected) =>
    expect(usageWarning({ used, maximum, daysLeft, hasSuccessor: false })).toBe(expected),
  )

  test('there is no warning of an end when another tariff follows, but there still is one of a limit', () => {
    const ending = { used: 0, maximum: 100, daysLeft: 3, hasSuccessor: true }
    expect(usageWarning(ending)).toBeNull()
    expect(usageWarning({ ...ending, used: 80 })).toBe('nearLimit')
  })
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
