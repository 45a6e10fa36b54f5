import { expect, test } from 'vitest'
import { endingSubscription } from './ending.ts'

const term = (startDate: string, endDate: string) => ({ startDate, endDate })

test.each([
  ['ends on the last day that is told', [term('2026-01-01', '2026-12-16')], '2026-12-16'],
  ['ends later', [term('2026-01-01', '2026-12-17')], null],
  ['ends today', [term('2026-01-01', '2026-11-16')], '2026-11-16'],
  ['has ended', [term('2026-01-01', '2026-11-15')], null],
  ['is followed by another', [term('2026-01-01', '2026-11-20'), term('2026-11-21', '2027-11-20')], null],
  ['there is none', [], null],
])('a subscription that %s', (_, subscriptions, end) => {
  expect(endingSubscription(subscriptions, '2026-11-16')?.endDate ?? null).toBe(end)
})
