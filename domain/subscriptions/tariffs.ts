import { tariffs } from './price-list.ts'
/** The free tier, which every organisation has; its limit is for the whole lifetime. */
export const freeTier = { nameKey: 'start', maxSigningRequestCount: tariffs.start.outgoing } as const

/** The circle in the header: green under 25 %, yellow above 25 and under 50, otherwise red (docs/product/subscriptions.md). */
export function usageColour(used: number, maximum: number | null): 'green' | 'yellow' | 'red' {
  if (maximum === null) return 'green'
  const share = maximum === 0 ? 1 : used / maximum
  if (share <= 0.25) return 'green'
  return share < 0.5 ? 'yellow' : 'red'
}

/** A warning shows when 80 % or more of the limit is used or fewer than 30 days remain. */
export function needsWarning(used: number, maximum: number | null, daysLeft: number | null): boolean {
  const isNearLimit = maximum !== null && used >= maximum * 0.8
  return isNearLimit || (daysLeft !== null && daysLeft < 30)
}
