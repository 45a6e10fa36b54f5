export type Tariff = {
  /** Documents that may be sent; null: as many as one likes. */
  outgoing: number | null
  /** Counted over the whole life of the organisation, or anew each calendar month. */
  counted: 'in-all' | 'by-month'
  /** Tenge a month, VAT included; 0: nothing. */
  monthly: number
}

/** From this day on: 1 January 2025. */
export const pricesSince = '2025-01-01'

export const tariffs = {
  start: { outgoing: 10, counted: 'in-all', monthly: 0 },
  standard: { outgoing: 50, counted: 'by-month', monthly: 5_900 },
  promo: { outgoing: 20, counted: 'by-month', monthly: 2_900 },
  classic: { outgoing: 150, counted: 'by-month', monthly: 14_900 },
  premium: { outgoing: null, counted: 'by-month', monthly: 39_900 },
} as const satisfies Record<(typeof tariffNames)[number], Tariff>

const yearlyDiscount = 0.1

/** Tenge for a month of a year that is paid at once. */
export function monthlyInYear({ monthly }: Tariff): number {
  return Math.round(monthly * (1 - yearlyDiscount))
}

export function yearly(tariff: Tariff): number {
  return monthlyInYear(tariff) * 12
}

export const tariffNames = ['start', 'standard', 'promo', 'classic', 'premium'] as const
