/**
 * Names in files and certificates are chosen by strangers: characters that reverse a line or are invisible are
 * replaced by their numbers.
 */
import { visibleText } from '@kelisim/domain/visible-text.ts'

/** Returns a copy of the value in which every text is safe to show. */
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
