/** Dates and times of the card, in the time zone of Kazakhstan. */
import { shownDate } from '@kelisim/domain/calendar.ts'
import { hour } from '@kelisim/domain/durations.ts'

/** One zone for the whole country since 1 March 2024. */
const zone = { name: 'UTC+5', milliseconds: 5 * hour }

/** 15.11.2026 14:05:09 UTC+5 */
export function shownMoment(moment: Date): string {
  const [date = '', time = ''] = new Date(moment.getTime() + zone.milliseconds).toISOString().split('T')
  return `${shownDate(date)} ${time.slice(0, 8)} ${zone.name}`
}
