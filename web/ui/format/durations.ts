/** How long something took, in the largest unit that still says something. */
import type { Language } from '@kelisim/texts/languages.ts'

export function formatHours(hours: number, language: Language): string {
  const [value, unit] =
    hours < 1 ? [Math.max(1, hours * 60), 'minute'] : hours < 48 ? [hours, 'hour'] : [hours / 24, 'day']
  const maximumFractionDigits = value < 10 && unit !== 'minute' ? 1 : 0
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits,
  }).format(value)
}
