import { describe, expect, test } from 'vitest'
import { addDays } from '../calendar.ts'
import { newsOf } from './news.ts'

const term = (startDate: string, endDate: string) => ({ startDate, endDate })
const kinds = (subscriptions: ReturnType<typeof term>[], today: string) =>
  newsOf(subscriptions, today).map(({ kind, subscription }) => `${kind} ${subscription.startDate}`)

describe('events of a subscription of one month', () => {
  const month = [term('2026-11-01', '2026-11-30')]
  test.each([
    ['2026-10-31', []],
    ['2026-11-01', ['began 2026-11-01']],
    ['2026-11-08', ['began 2026-11-01']],
    ['2026-11-09', []],
    ['2026-11-22', []],
    ['2026-11-23', ['ending 2026-11-01']],
    ['2026-11-30', ['ending 2026-11-01']],
    ['2026-12-01', ['ended 2026-11-01']],
    ['2026-12-08', ['ended 2026-11-01']],
    ['2026-12-09', []],
  ])('on %s', (today, expected) => expect(kinds(month, today)).toEqual(expected))
})

test('the end of a subscription is not announced if another follows', () => {
  const two = [term('2026-11-01', '2026-11-30'), term('2026-12-01', '2026-12-31')]
  expect(kinds(two, '2026-11-30')).toEqual([])
  expect(kinds(two, '2026-12-01')).toEqual(['began 2026-12-01'])
  expect(kinds(two, '2026-12-31')).toEqual(['ending 2026-12-01'])
})

test('adding days works across months, years and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29')
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
})
