/** How the numbers of a journal are made (docs/product/registers.md#numbers). */
import { dateInAlmaty } from '../calendar.ts'

/** The place of the year in a number: ИСХ-0015, ИСХ-2026-0015 or ИСХ-0015/2026. */
export const yearPlaces = ['none', 'before', 'after'] as const
export type YearPlace = (typeof yearPlaces)[number]

export const mostDigits = 8
export const largestFirstNumber = 9_999_999
export const longestPrefix = 20

export type NumberingRule = {
  /** Includes its separator, for example `ИСХ-`. */
  prefix: string
  yearPlace: YearPlace
  /** The least number of digits; a larger number is written in full. */
  width: number
  /** The first number of the first year, which may continue a paper journal. */
  firstNumber: number
}

/**
 * The year (in Almaty) to whose count a registration belongs. Numbers without a year would repeat if the count began
 * again every year, so such a journal never restarts: its year is always 0.
 */
export function countingYear({ yearPlace }: Pick<NumberingRule, 'yearPlace'>, now: Date): number {
  return yearPlace === 'none' ? 0 : Number(dateInAlmaty(now).slice(0, 4))
}

/**
 * The first number of a year. The chosen first number continues a paper journal and applies only to the first year.
 */
export function firstOfYear(
  { firstNumber, firstYear }: { firstNumber: number; firstYear: number },
  year: number,
): number {
  return year === firstYear ? firstNumber : 1
}

export function formatNumber(
  { prefix, yearPlace, width }: Omit<NumberingRule, 'firstNumber'>,
  year: number,
  counter: number,
): string {
  const digits = String(counter).padStart(width, '0')
  switch (yearPlace) {
    case 'none':
      return `${prefix}${digits}`
    case 'before':
      return `${prefix}${year}-${digits}`
    case 'after':
      return `${prefix}${digits}/${year}`
  }
}

/** The example that the form shows while the rule is edited. */
export function exampleNumber(rule: NumberingRule, now: Date): string {
  return formatNumber(rule, countingYear(rule, now), rule.firstNumber)
}
