import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { daysLeft, daysOver, deadlineFrom, newsOf, type DeadlineNews } from './deadline.ts'
import {
  addWorkingDays,
  isKnownYear,
  isWorkingDay,
  workingDayBefore,
  workingDaysUntil,
} from './working-days.ts'

const day = (offset: number) => new Date(Date.UTC(2026, 0, 1 + offset)).toISOString().slice(0, 10)
const year = Array.from({ length: 365 }, (_, i) => day(i))

describe('the calendar of Kazakhstan', () => {
  test('2026 has 246 working days, as the Ministry of Labour published', () => {
    expect(year.filter(isWorkingDay)).toHaveLength(246)
    expect(isKnownYear('2026-11-17')).toBe(true)
  })

  test.each([
    ['a holiday', '2026-12-16'],
    ['a day off for a holiday on a Sunday', '2026-10-26'],
    ['the first day after Nauryz on a weekend', '2026-03-24'],
    ['the second one', '2026-03-25'],
    ['Orthodox Christmas', '2026-01-07'],
    ['Kurban Ait', '2026-05-27'],
    ['a Saturday', '2026-11-21'],
    ['a holiday of a year that is not set yet', '2027-03-08'],
  ])('%s (%s) is not a working day', (_, date) => expect(isWorkingDay(date)).toBe(false))

  test('for a year without a published calendar only weekends and the holidays by law are known', () => {
    expect(isKnownYear('2027-01-01')).toBe(false)
    expect(isWorkingDay('2027-01-04')).toBe(false)
    expect(isWorkingDay('2027-01-05')).toBe(true)
  })

  test('working days are added and counted alike, over weekends and holidays', () => {
    expect(addWorkingDays('2026-11-17', 3)).toBe('2026-11-20')
    expect(addWorkingDays('2026-11-20', 1)).toBe('2026-11-23')
    expect(addWorkingDays('2026-12-15', 1)).toBe('2026-12-17')
    const dates = fc.constantFrom(...year)
    fc.assert(
      fc.property(dates, fc.integer({ min: 1, max: 100 }), (date, days) => {
        const end = addWorkingDays(date, days)
        expect(isWorkingDay(end)).toBe(true)
        expect(workingDaysUntil(date, end)).toBe(days)
        expect(workingDayBefore(end) < end).toBe(true)
      }),
    )
  })
})

describe('a deadline', () => {
  test('has its reminder on the working day before, but not on the day of asking', () => {
    expect(deadlineFrom('2026-11-17', 3)).toEqual({ dueOn: '2026-11-20', remindOn: '2026-11-19' })
    expect(deadlineFrom('2026-11-17', 1)).toEqual({ dueOn: '2026-11-18', remindOn: '2026-11-18' })
    expect(deadlineFrom('2026-11-20', 2)).toEqual({ dueOn: '2026-11-24', remindOn: '2026-11-23' })
  })

  test('is announced once before and once when it is over, on whatever days this is checked', () => {
    fc.assert(
      fc.property(
        fc.nat(200),
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat(120)),
        (asked, days, looks) => {
          const deadline = deadlineFrom(day(asked), days)
          let told: DeadlineNews = 'nothing'
          const news: string[] = []
          for (const offset of looks.toSorted((a, b) => a - b)) {
            const today = day(asked + offset)
            const one = newsOf({ ...deadline, told }, today)
            if (one === null) continue
            expect(one).toBe(today > deadline.dueOn ? 'overdue' : 'reminded')
            expect(today >= deadline.remindOn).toBe(true)
            news.push(one)
            told = one
          }
          expect(['', 'reminded', 'overdue', 'reminded,overdue']).toContain(news.join())
        },
      ),
    )
  })

  test('says how many working days are left', () => {
    expect(daysLeft('2026-11-20', '2026-11-17')).toBe(3)
    expect(daysLeft('2026-11-23', '2026-11-20')).toBe(1)
    expect(daysLeft('2026-11-20', '2026-11-20')).toBe(0)
    expect(daysLeft('2026-11-20', '2026-11-21')).toBeNull()
  })

  test('says since how many working days it has been over', () => {
    expect(daysOver('2026-11-20', '2026-11-20')).toBeNull()
    expect(daysOver('2026-11-20', '2026-11-21')).toBe(0)
    expect(daysOver('2026-11-20', '2026-11-23')).toBe(1)
    expect(daysOver('2026-12-15', '2026-12-17')).toBe(1)
  })
})
