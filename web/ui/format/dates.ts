/** Dates as they are written in Kazakhstan: DD.MM.YYYY, HH:mm, in the time zone of the browser. */
const day = new Intl.DateTimeFormat('ru-RU', { day: '2-digit', month: '2-digit', year: 'numeric' })
const dayAndTime = new Intl.DateTimeFormat('ru-RU', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A calendar date (2026-11-15) has no time zone and must not be converted. */
export function formatDate(value: string): string {
  const calendar = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value)
  return calendar ? `${calendar[3]}.${calendar[2]}.${calendar[1]}` : day.format(new Date(value))
}

export function formatMoment(value: string): string {
  return dayAndTime.format(new Date(value))
}

const shortDay = new Intl.DateTimeFormat('ru-RU', { day: '2-digit', month: '2-digit' })
const time = new Intl.DateTimeFormat('ru-RU', { hour: '2-digit', minute: '2-digit' })

/** A moment without the year if it is in the current one: 26.10, 17:18. */
export function formatShortMoment(value: string, now = new Date()): string {
  const moment = new Date(value)
  return moment.getFullYear() === now.getFullYear()
    ? `${shortDay.format(moment)}, ${time.format(moment)}`
    : dayAndTime.format(moment)
}

/**
 * The mask of a date field: day, month and year with periods between them. Digits fill the parts one after the other;
 * a separator ends a part, so that 1.2.2026 is the first of February.
 */
export function maskDate(typed: string): string {
  const parts = ['']
  for (const character of typed) {
    const part = parts.at(-1)!
    const isLast = parts.length === 3
    if (/\d/.test(character)) {
      if (isLast && part.length === 4) break
      if (!isLast && part.length === 2) parts.push(character)
      else parts[parts.length - 1] = part + character
    } else if (/[.,/\- ]/.test(character) && part !== '' && !isLast) {
      parts[parts.length - 1] = part.padStart(2, '0')
      parts.push('')
    }
  }
  return parts.join('.')
}

/** Called when the field is left: completes a year of two digits to this century. */
export function completeDate(typed: string): string {
  return typed.replace(/^(\d{2}\.\d{2}\.)(\d{2})$/, '$120$2')
}

/** For numeric fields: digits and periods only. */
export function onlyDigitsAndPeriod(typed: string): string {
  return typed.replace(/[^\d.]/g, '')
}

/** The typed text as a calendar date (2026-11-15); null: there is no such day. */
export function dateOf(typed: string): string | null {
  const parts = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(completeDate(typed))
  if (!parts) return null
  const date = `${parts[3]}-${parts[2]}-${parts[1]}`
  const found = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(found.getTime()) && found.toISOString().startsWith(date) ? date : null
}
