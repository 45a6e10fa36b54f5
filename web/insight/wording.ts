/** Durations and months with names from our own texts: browsers have no Kazakh names of units and months. */
import type { Text } from '../i18n/use-texts.ts'

const number = (value: number, digits: number) =>
  new Intl.NumberFormat('ru-RU', { maximumFractionDigits: digits }).format(value)

/** A duration in the largest suitable unit: minutes, hours, or from 48 hours on days. */
export function formatHours(hours: number, t: Text<'insight'>): string {
  if (hours < 1) return t('duration.minutes', { number: number(Math.max(1, hours * 60), 0) })
  const [value, unit] = hours < 48 ? ([hours, 'hours'] as const) : ([hours / 24, 'days'] as const)
  return t(`duration.${unit}`, { number: number(value, value < 10 ? 1 : 0) })
}

/** The name of a month given as "2026-11". */
export function monthName(month: string, t: Text<'insight'>): string {
  const [year, which] = month.split('-')
  return t(`month.${Number(which) as 1}`, { year })
}
