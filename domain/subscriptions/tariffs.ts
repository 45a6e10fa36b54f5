import { tariffs } from './price-list.ts'

/** The free tier, which every organisation has; its limit is for the whole lifetime. */
export const freeTier = { nameKey: 'start', maxSigningRequestCount: tariffs.start.outgoing } as const

/** The circle in the header: green up to 25 %, yellow below 50, otherwise red (docs/product/subscriptions.md). */
export function usageColour(used: number, maximum: number | null): 'green' | 'yellow' | 'red' {
  if (maximum === null) return 'green'
  const share = maximum === 0 ? 1 : used / maximum
  if (share <= 0.25) return 'green'
  return share < 0.5 ? 'yellow' : 'red'
}

export type Usage = {
  used: number
  /** Null: unlimited. */
  maximum: number | null
  /** Null: the tariff has no end. */
  daysLeft: number | null
  /** Another paid tariff begins later. */
  hasSuccessor: boolean
}

export type UsageWarning = 'usedUp' | 'nearLimit' | 'nearEnd'

/**
 * The warning to show: the limit is used up, 80 % of it or more are used, or fewer than 30 days remain and no other
 * tariff follows.
 */
export function usageWarning({ used, maximum, daysLeft, hasSuccessor }: Usage): UsageWarning | null {
  if (maximum !== null && used >= maximum) return 'usedUp'
  if (maximum !== null && used >= maximum * 0.8) return 'nearLimit'
  return daysLeft !== null && daysLeft < 30 && !hasSuccessor ? 'nearEnd' : null
}
