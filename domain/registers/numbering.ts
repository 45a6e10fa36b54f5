/** How the numbers of a journal are made (docs/product/registers.md#numbers). */
import { dateInAlmaty } from '../calendar.ts'

/** Where the year stands: ИСХ-0015, ИСХ-2026-0015 or ИСХ-0015/2026. */
export const yearPlaces = ['none', 'before', 'after'] as const
export type YearPlace = (typeof yearPlaces)[number]

export const mostDigits = 8
export const largestFirstNumber = 9_999_999
export const longestPrefix = 20

export type NumberingRule = {
  /** With its own signs at the end, for example `ИСХ-`. */
  prefix: string
  yearPlace: YearPlace
  /** The least number of digits; a larger number is written in full. */
  width: number
  /** The first number of the first year: it may go on from a paper journal. */
  firstNumber: number
}

/**
 * The year whose count a registration belongs to, in Almaty. A number without a year would repeat if its count began
 * again, so such a journal counts on: its year is always 0.
 */
export function countingYear({ yearPlace }: Pick<NumberingRule, 'yearPlace'>, now: Date): number {
  return yearPlace === 'none' ? 0 : Number(dateInAlmaty(now).slice(0, 4))
}

/** The first number of a year. The journal's own first number is of the year in which it was chosen: a paper journal ended then. */
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

/** What the form shows while the rule is written. */
export function exampleNumber(rule: NumberingRule, now: Date): string {
  return formatNumber(rule, countingYear(rule, now), rule.firstNumber)
}
