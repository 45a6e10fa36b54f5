/** Subscriptions that end soon enough to be shown. */
import { addDays } from '../calendar.ts'
import { inForce, pending, type Term } from '../subscriptions/in-force.ts'

export const toldDaysBefore = 30

/** The subscription in force, if it ends soon and no other one follows it. */
export function endingSubscription<T extends Term>(subscriptions: readonly T[], today: string): T | null {
  const current = inForce(subscriptions, today)
  if (!current || pending(subscriptions, today).length > 0) return null
  return current.endDate <= addDays(today, toldDaysBefore) ? current : null
}
