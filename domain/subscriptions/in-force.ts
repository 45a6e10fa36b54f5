/** The subscription that is in force. Dates are calendar days of Asia/Almaty, both ends included. */
export type Term = { startDate: string; endDate: string }

/** The subscription in force today; if two overlap, the one that began later. */
export function inForce<T extends Term>(subscriptions: readonly T[], today: string): T | null {
  const current = subscriptions.filter((s) => s.startDate <= today && today <= s.endDate)
  return current.toSorted((a, b) => b.startDate.localeCompare(a.startDate))[0] ?? null
}

/** Subscriptions that begin later, the nearest first. */
export function pending<T extends Term>(subscriptions: readonly T[], today: string): T[] {
  return subscriptions
    .filter((s) => s.startDate > today)
    .toSorted((a, b) => a.startDate.localeCompare(b.startDate))
}
