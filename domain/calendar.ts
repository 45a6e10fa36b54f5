/** Days and months in Kazakhstan (Asia/Almaty), whatever the machine's time zone. */
import { hour } from './durations.ts'

const day = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Asia/Almaty',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** 2026-11-15 */
export function dateInAlmaty(moment: Date): string {
  return day.format(moment)
}

/** The moment at which the day ends in Almaty, which was six hours ahead of UTC until March 2024, and five since. */
export function endOfDayInAlmaty(date: string): Date {
  const candidates = [6, 5].map((hours) => new Date(Date.parse(`${date}T24:00:00Z`) - hours * hour))
  return candidates.find((moment) => dateInAlmaty(moment) !== date)!
}

/** The date this many days later, or earlier if negative. */
export function addDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}

/** The first day of the month: 2026-11-01 */
export function monthInAlmaty(moment: Date): string {
  return `${dateInAlmaty(moment).slice(0, 7)}-01`
}

/** For display: 15.11.2026 */
export function shownDate(date: string): string {
  return date.split('-').toReversed().join('.')
}

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Asia/Almaty',
  hour: '2-digit',
  minute: '2-digit',
})

/** For display: 15.11.2026 10:32 */
export function shownMoment(moment: Date): string {
  return `${shownDate(dateInAlmaty(moment))} ${clock.format(moment)}`
}

const russian = new Intl.DateTimeFormat('ru-RU', {
  timeZone: 'Asia/Almaty',
  dateStyle: 'short',
  timeStyle: 'medium',
})

/** For Russian papers, which name the second: 15.11.2026, 10:32:07 */
export function secondInAlmaty(moment: Date): string {
  return russian.format(moment)
}
