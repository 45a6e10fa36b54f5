/** Names in files and certificates are chosen by strangers: what would reverse a line or is not seen is shown by its number. */
import { visibleText } from '@kelisim/domain/visible-text.ts'

/** The same values, with every text in them as it may be shown. */
export function shown<T>(value: T): T {
  return shownValue(value) as T
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value)
  if (Array.isArray(value)) return value.map(shownValue)
  const isPlain = typeof value === 'object' && value !== null && value.constructor === Object
  if (!isPlain) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shownValue(one)]))
}
