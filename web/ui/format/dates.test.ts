import { afterEach, describe, expect, test, vi } from 'vitest'
import { languages } from '@kelisim/texts/languages.ts'
import {
  completeDate,
  dateOf,
  formatDate,
  formatShortMoment,
  maskDate,
  onlyDigitsAndPeriod,
} from './dates.ts'

test('a calendar date is formatted as DD.MM.YYYY in every time zone', () => {
  expect(formatDate('2026-01-09')).toBe('09.01.2026')
})

test('a moment of this year is shown without the year', () => {
  const now = new Date(2026, 10, 15)
  expect(formatShortMoment(new Date(2026, 9, 26, 17, 18).toISOString(), now)).toBe('26.10, 17:18')
  expect(formatShortMoment(new Date(2025, 9, 6, 7, 8).toISOString(), now)).toBe('06.10.2025, 07:08')
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
  ['1.', '01.'],
  ['1.2', '01.2'],
  ['1.2.26', '01.02.26'],
  ['1/2/2026', '01.02.2026'],
  ['9-5-26', '09.05.26'],
  ['15.11.', '15.11.'],
  ['..', ''],
  ['', ''],
])('the mask turns %j into %j', (typed, shown) => {
  expect(maskDate(typed)).toBe(shown)
})

test.each([
  ['01.02.26', '01.02.2026'],
  ['01.02.2026', '01.02.2026'],
  ['01.02', '01.02'],
])('on leaving the field %j becomes %j', (typed, shown) => {
  expect(completeDate(typed)).toBe(shown)
})

test.each(['15', '15.1', '15.11', '15.11.2', '15.11.2026', '01.'])('the mask leaves %j as it is', (shown) => {
  expect(maskDate(shown)).toBe(shown)
})

test('a numeric field accepts digits and periods only', () => {
  expect(onlyDigitsAndPeriod('1 2a.3-')).toBe('12.3')
})

test.each([
  ['15.11.2026', '2026-11-15'],
  ['29.02.2028', '2028-02-29'],
  ['29.02.2027', null],
  ['31.04.2026', null],
  ['15.13.2026', null],
  ['15.11.26', '2026-11-15'],
  ['15.11.202', null],
  ['', null],
])('the typed %j is the day %j', (typed, date) => {
  expect(dateOf(typed)).toBe(date)
})

/** Loads the module anew, because it reads the time zone and the language of the browser only when it is loaded. */
async function datesIn(zone: string, language = 'ru') {
  vi.stubEnv('TZ', zone)
  vi.stubGlobal('navigator', { language, languages: [language] })
  vi.resetModules()
  return import('./dates.ts')
}

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe.each(languages)('with the interface in %s', (language) => {
  test('a moment is formatted with the date and time of Almaty', async () => {
    const { formatDate: date, formatMoment: moment } = await datesIn('Asia/Almaty', language)
    expect(date('2026-11-15T10:05:00Z')).toBe('15.11.2026')
    expect(moment('2026-11-15T10:05:00Z')).toBe('15.11.2026, 15:05')
  })

  test('a late UTC moment is the next day in Almaty, but a calendar date does not change', async () => {
    const { formatDate: date, formatMoment: moment } = await datesIn('Asia/Almaty', language)
    expect(date('2026-12-31T19:00:00Z')).toBe('01.01.2027')
    expect(moment('2026-12-31T19:00:00Z')).toBe('01.01.2027, 00:00')
    expect(date('2026-12-31')).toBe('31.12.2026')
  })
})

test('in another zone moments are formatted in its time', async () => {
  const { formatDate: date, formatMoment: moment } = await datesIn('America/New_York')
  expect(moment('2026-11-15T02:05:00Z')).toBe('14.11.2026, 21:05')
  expect(date('2026-11-15T02:05:00Z')).toBe('14.11.2026')
  expect(date('2026-11-15')).toBe('15.11.2026')
})
