/**
 * What the owners of an organisation are told about its subscriptions. They come into force and end by the calendar alone:
 * nothing has to be switched, so nothing is late if nobody is there to switch it.
 */
import type { Term } from './in-force.ts'

export type TurnKind = 'began' | 'ending' | 'ended'

const warnedDays = 7
/** What happened longer ago than this is no news. */
const newsDays = 7

export function turnsOf<T extends Term>(
  subscriptions: readonly T[],
  today: string,
): { subscription: T; kind: TurnKind }[] {
  const isRecent = (date: string) => date <= today && today <= addDays(date, newsDays)
  return subscriptions.flatMap((subscription) => {
    const { startDate, endDate } = subscription
    // Whoever has the next one already is not told of an end that they will not notice.
    const goesOn = subscriptions.some(
      (other) => other !== subscription && other.startDate <= addDays(endDate, 1) && endDate < other.endDate,
    )
    const kinds: TurnKind[] = []
    if (isRecent(startDate) && today <= endDate) kinds.push('began')
    if (!goesOn && startDate <= today && addDays(today, warnedDays) >= endDate && today <= endDate) {
      kinds.push('ending')
    }
    if (!goesOn && isRecent(addDays(endDate, 1))) kinds.push('ended')
    return kinds.map((kind) => ({ subscription, kind }))
  })
}

export function addDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`)
  moment.setUTCDate(moment.getUTCDate() + days)
  return moment.toISOString().slice(0, 10)
}
