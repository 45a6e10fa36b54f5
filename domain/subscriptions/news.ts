/** E-mails to the owners about subscriptions, which begin and end by date without being switched on or off. */
import { addDays } from '../calendar.ts'
import type { Term } from './in-force.ts'

export type NewsKind = 'began' | 'ending' | 'ended'

const warnedDays = 7
/** No e-mail is sent about changes that are older than this. */
const newsDays = 7

export function newsOf<T extends Term>(
  subscriptions: readonly T[],
  today: string,
): { subscription: T; kind: NewsKind }[] {
  const isRecent = (date: string) => date <= today && today <= addDays(date, newsDays)
  return subscriptions.flatMap((subscription) => {
    const { startDate, endDate } = subscription
    // No e-mail about an end if the next subscription follows.
    const goesOn = subscriptions.some(
      (other) => other !== subscription && other.startDate <= addDays(endDate, 1) && endDate < other.endDate,
    )
    const kinds: NewsKind[] = []
    if (isRecent(startDate) && today <= endDate) kinds.push('began')
    if (!goesOn && startDate <= today && addDays(today, warnedDays) >= endDate && today <= endDate) {
      kinds.push('ending')
    }
    if (!goesOn && isRecent(addDays(endDate, 1))) kinds.push('ended')
    return kinds.map((kind) => ({ subscription, kind }))
  })
}
