import { expect, test } from 'vitest'
import { dateInAlmaty, endOfDayInAlmaty, monthInAlmaty, shownDate, shownMoment } from './calendar.ts'

test.each([
  ['2026-10-31T18:59:59.999Z', '2026-10-31', '2026-10-01'],
  ['2026-10-31T19:00:00.000Z', '2026-11-01', '2026-11-01'],
  ['2026-12-31T20:00:00.000Z', '2027-01-01', '2027-01-01'],
  ['2024-02-28T18:00:00.000Z', '2024-02-29', '2024-02-01'], // six hours ahead of UTC, for the last day
  ['2024-02-29T18:00:00.000Z', '2024-02-29', '2024-02-01'],
  ['2024-02-29T19:00:00.000Z', '2024-03-01', '2024-03-01'],
])('%s is %s in Almaty', (moment, date, month) => {
  expect([dateInAlmaty(new Date(moment)), monthInAlmaty(new Date(moment))]).toEqual([date, month])
})

test.each([
  ['2026-11-16', '2026-11-16T19:00:00.000Z'],
  ['2026-12-31', '2026-12-31T19:00:00.000Z'],
  ['2024-02-28', '2024-02-28T18:00:00.000Z'],
  ['2024-02-29', '2024-02-29T19:00:00.000Z'],
])('%s ends in Almaty at %s', (date, moment) => expect(endOfDayInAlmaty(date).toISOString()).toBe(moment))

test('a date is shown as DD.MM.YYYY', () => expect(shownDate('2026-11-05')).toBe('05.11.2026'))

test('a moment is shown in the time of Kazakhstan', () => {
  expect(shownMoment(new Date('2026-11-15T19:05:59.000Z'))).toBe('16.11.2026 00:05')
})
