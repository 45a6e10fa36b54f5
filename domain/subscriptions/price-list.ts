export type Tariff = {
  /** Documents that may be sent; null if unlimited. */
  outgoing: number | null
  /** Counted in total, or by calendar month. */
  counted: 'in-all' | 'by-month'
  /** Tenge a month including VAT; 0 if it is free. */
  monthly: number
}

/** Valid from 1 January 2025. */
export const pricesSince = '2025-01-01'

export const tariffs = {
  start: { outgoing: 10, counted: 'in-all', monthly: 0 },
  standard: { outgoing: 50, counted: 'by-month', monthly: 5_900 },
  promo: { outgoing: 20, counted: 'by-month', monthly: 2_900 },
  classic: { outgoing: 150, counted: 'by-month', monthly: 14_900 },
  premium: { outgoing: null, counted: 'by-month', monthly: 39_900 },
} as const satisfies Record<(typeof tariffNames)[number], Tariff>

const yearlyDiscount = 0.1

/** The price in tenge a month if a year is paid at once. */
export function monthlyInYear({ monthly }: Tariff): number {
  return Math.round(monthly * (1 - yearlyDiscount))
}

export function yearly(tariff: Tariff): number {
  return monthlyInYear(tariff) * 12
}

export const tariffNames = ['start', 'standard', 'promo', 'classic', 'premium'] as const
