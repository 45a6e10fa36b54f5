/**
 * Working days in Kazakhstan, of a week of five days. The holidays of the law come every year; one that falls on a day off
 * makes the next working day a day off too. What is set anew for each year stands in `setByYear`.
 */
import { addDays } from '../../calendar.ts'

/** National and state holidays (law on holidays, article 1), by month and day. */
const holidays = [
  '01-01', '01-02', '03-08', '03-21', '03-22', '03-23', '05-01', '05-07', '05-09',
  '07-06', '08-30', '10-25', '12-16',
] // prettier-ignore

/** Days off that are no holidays and move nothing: Christmas of the Orthodox. */
const otherDaysOff = ['01-07']

/** The first day of Kurban Ait, and days that the government moved: from a working day, to a day off. */
const setByYear: Record<number, { kurbanAit: string; off: string[]; working: string[] }> = {
  2026: { kurbanAit: '2026-05-27', off: [], working: [] },
}

/** Whether the days of this year that are set anew are known; otherwise only the law and weekends count. */
export function isKnownYear(date: string): boolean {
  return yearOf(date) in setByYear
}

export function isWorkingDay(date: string): boolean {
  const set = setByYear[yearOf(date)]
  if (set?.working.includes(date)) return true
  return !isWeekend(date) && !daysOffIn(yearOf(date)).has(date)
}

/** The day that many working days after this one; the day itself does not count. */
export function addWorkingDays(date: string, days: number): string {
  let day = date
  for (let left = days; left > 0;) {
    day = nextDay(day)
    if (isWorkingDay(day)) left--
  }
  return day
}

/** The last working day before this one. */
export function workingDayBefore(date: string): string {
  let day = addDays(date, -1)
  while (!isWorkingDay(day)) day = addDays(day, -1)
  return day
}

/** How many working days come after the first day, up to and with the last; 0 if it is not later. */
export function workingDaysUntil(first: string, last: string): number {
  let count = 0
  for (let day = nextDay(first); day <= last; day = nextDay(day)) if (isWorkingDay(day)) count++
  return count
}

const found = new Map<number, ReadonlySet<string>>()

/** Besides weekends. */
function daysOffIn(year: number): ReadonlySet<string> {
  const known = found.get(year)
  if (known) return known
  const set = setByYear[year]
  const off = new Set([...holidays, ...otherDaysOff].map((day) => `${year}-${day}`))
  for (const date of set ? [set.kurbanAit, ...set.off] : []) off.add(date)
  for (const date of holidays.map((day) => `${year}-${day}`).filter(isWeekend)) {
    let next = nextDay(date)
    while (isWeekend(next) || off.has(next)) next = nextDay(next)
    off.add(next)
  }
  found.set(year, off)
  return off
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4))
}

function isWeekend(date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`).getUTCDay()
  return day === 0 || day === 6
}

function nextDay(date: string): string {
  return addDays(date, 1)
}
