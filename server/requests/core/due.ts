/** The days by which those who are asked now have to answer. */
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { deadlineFrom, type Deadline } from '@kelisim/domain/requests/deadlines/deadline.ts'
import type { RequestEvent } from '@kelisim/domain/requests/life-cycle/events.ts'
import type { SigningRequest } from '@kelisim/domain/requests/life-cycle/request.ts'
import { isAwaited } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { signingStatuses } from '@kelisim/domain/requests/status.ts'
import type { LoadedRequest } from './loaded.ts'

/** The days of a term are counted from the day on which the turn came; terminations have none. */
export function deadlineOfTurn(
  { signing }: LoadedRequest,
  attempt: number,
  pointId: string,
  now: Date,
): Omit<Deadline, 'told'> | null {
  const termDays = signing.find((row) => row.pointId === pointId)?.termDays ?? null
  return attempt === 0 && termDays !== null ? deadlineFrom(dateInAlmaty(now), termDays) : null
}

/** The due day of each point after these events; points that have no deadline or wait for nobody are left out. */
export function dueDays(
  loaded: LoadedRequest,
  after: SigningRequest,
  events: readonly RequestEvent[],
  now: Date,
): Map<string, string> {
  if (!signingStatuses.includes(after.status)) return new Map()
  const called = new Set(events.flatMap((event) => (event.type === 'turn-came' ? [event.pointId] : [])))
  return new Map(
    after.points.flatMap(({ pointId, type, status, deadline }): [string, string][] => {
      if (!isAwaited(after.status, { type, status })) return []
      const due = called.has(pointId) ? deadlineOfTurn(loaded, 0, pointId, now) : deadline
      return due ? [[pointId, due.dueOn]] : []
    }),
  )
}

/** Days are compared as texts; null: there is none. */
export function earliest(days: Iterable<string>): string | null {
  return [...days].toSorted()[0] ?? null
}
