/** The number of a cell as its format shows it: dates, leading zeros of a BIN, thousands of an amount. */
import { day, minute } from '@kelisim/domain/durations.ts'

export type CellFormat =
  | { kind: 'general' }
  | { kind: 'date' }
  | { kind: 'zeros'; digits: number }
  | { kind: 'decimal'; decimals: number; isGrouped: boolean }
  | { kind: 'percent'; decimals: number }

/** Formats that every program knows by number. */
const builtIn: Record<number, string> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
}
const builtInDates = [
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54,
  55, 56, 57, 58,
]

export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined && builtInDates.includes(id)) return { kind: 'date' }
  return formatOf(code ?? builtIn[id] ?? '')
}

function formatOf(code: string): CellFormat {
  // The part for positive numbers, without literal text.
  const [first = ''] = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').split(';')
  if (/[dmyhs]/i.test(first) && !/general/i.test(first)) return { kind: 'date' }
  const decimals = /\.(0+)/.exec(first)?.[1]?.length ?? 0
  if (first.includes('%')) return { kind: 'percent', decimals }
  const zeros = /^\s*(0{2,})\s*$/.exec(first)?.[1]
  if (zeros) return { kind: 'zeros', digits: zeros.length }
  if (/[0#]/.test(first)) return { kind: 'decimal', decimals, isGrouped: /#[, ]##0/.test(first) }
  return { kind: 'general' }
}

/** The number with a decimal comma and separated thousands, as people here see it; null: the value is no number. */
export function shownNumber(value: string, format: CellFormat, is1904: boolean): string | null {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return null
  switch (format.kind) {
    case 'date':
      return shownDateOf(number + (is1904 ? 1462 : 0)) ?? plain(number)
    case 'zeros':
      return Number.isSafeInteger(number) && number >= 0
        ? String(number).padStart(format.digits, '0')
        : plain(number)
    case 'percent':
      return `${(number * 100).toFixed(format.decimals).replace('.', ',')}%`
    case 'decimal': {
      const [whole = '', part] = number.toFixed(Math.min(format.decimals, 20)).split('.')
      if (whole.includes('e')) return plain(number)
      const grouped = format.isGrouped ? whole.replaceAll(/\B(?=(\d{3})+$)/g, '\u00a0') : whole
      return part === undefined ? grouped : `${grouped},${part}`
    }
    case 'general':
      return plain(number)
  }
}

/** Rounded to fifteen digits like a spreadsheet: 0.1 + 0.2 is 0,3. Never 1,2E+15, as it may be an identifier. */
function plain(number: number): string {
  const rounded = Number(number.toPrecision(15))
  if (Number.isSafeInteger(rounded)) return String(rounded)
  return new Intl.NumberFormat('ru', { useGrouping: false, maximumSignificantDigits: 15 }).format(rounded)
}

const lastDay = 2_958_465

/** The date of a number of days since the end of 1899, whose fraction is the time. Null: there is no such day. */
function shownDateOf(serial: number): string | null {
  if (serial < 0 || serial > lastDay + 1) return null
  const minutes = Math.round((serial % 1) * 1440)
  const moment = new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * day + minutes * minute)
  const [date, time] = [moment.toISOString().slice(0, 10), moment.toISOString().slice(11, 16)]
  if (serial < 1) return time
  const shown = date.split('-').toReversed().join('.')
  return minutes === 0 ? shown : `${shown} ${time}`
}
