/**
 * Working days in Kazakhstan, in a week of five days. The holidays of the law come every year; a holiday that falls
 * on a day off makes the next working day a day off too. Days that are set for each year are in `setByYear`.
 */
import { addDays } from '../../calendar.ts'

/** National and state holidays (law on holidays, article 1), by month and day. */
const holidays = [
  '01-01', '01-02', '03-08', '03-21', '03-22', '03-23', '05-01', '05-07', '05-09',
  '07-06', '08-30', '10-25', '12-16',
] // prettier-ignore

/** Days off that are not holidays, so they move no other day: Orthodox Christmas. */
const otherDaysOff = ['01-07']

/**
 * The first day of Kurban Ait, and moved days: working days that became days off, and days off that became working.
 */
const setByYear: Record<number, { kurbanAit: string; off: string[]; working: string[] }> = {
  2026: { kurbanAit: '2026-05-27', off: [], working: [] },
}

/** Whether `setByYear` has the year; otherwise only weekends and the holidays of the law count. */
export function isKnownYear(date: string): boolean {
  return yearOf(date) in setByYear
}

export function isWorkingDay(date: string): boolean {
  const set = setByYear[yearOf(date)]
  if (set?.working.includes(date)) return true
  return !isWeekend(date) && !daysOffIn(yearOf(date)).has(date)
}

/** The date after this number of working days; the first date itself does not count. */
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

/** The number of working days after the first date up to and including the last; 0 if that is not later. */
export function workingDaysUntil(first: string, last: string): number {
  let count = 0
  for (let day = nextDay(first); day <= last; day = nextDay(day)) if (isWorkingDay(day)) count++
  return count
}

const found = new Map<number, ReadonlySet<string>>()

/** The days off of a year besides weekends. */
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
