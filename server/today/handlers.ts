/** The home page: what waits for the person, own requests that wait for others or have ended, and what ends soon. */
import type { Db } from '@kelisim/db/db.ts'
import { addDays, dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { defaultRequestSort } from '@kelisim/domain/requests/list-contract.ts'
import { processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import { currentPointStatuses, pointStatusNumbers, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { getToday } from '@kelisim/domain/today/contract.ts'
import { endingSubscription, toldDaysBefore } from '@kelisim/domain/today/ending.ts'
import type { Http } from '../http/open.ts'
import { findReminder } from '../notifications/reminders.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import { partyOf } from '../requests/core/party.ts'
import type { PointRow } from '../requests/core/queries/rows.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import { requestLines } from '../requests/reading/handlers.ts'
import { findInboxes, findIncoming } from '../requests/reading/queries/lists.ts'
import { findSubscriptions } from '../subscriptions/queries.ts'
import { findEndedOf, findEndingPowers, findOpenOf } from './queries.ts'

/** How many requests a section shows; the rest is in the lists. */
const take = 5
/** How many open requests are examined: enough to find those that wait for others and not for the author. */
const looked = 30

export function openToday({ serve }: Http): void {
  serve(getToday, async ({ who, db, now }) => {
    const { organizationId, roles } = who.member
    const author = { userId: who.userId, organizationId }
    const party = await partyOf(db, who, now)
    const today = dateInAlmaty(now)
    const inboxes = await findInboxes(db, author, now)
    const [waiting, open, ended, ending] = await Promise.all([
      findIncoming(db, { ...author, inboxes }, { ...everything, isDone: false, take }),
      findOpenOf(db, author, looked),
      findEndedOf(db, author, addDays(today, -1), take),
      isOwner(roles) ? endingFor(db, organizationId, today) : [],
    ])
    const stuck = await inOrder(db, open.ids)
    const openLines = await requestLines(db, stuck, party, now)
    const waitForOthers = openLines.filter(({ acts }) => !acts.some(({ act }) => isAnswer(act)))
    const stuckLines = waitForOthers.slice(0, take)
    return {
      waiting: { items: await requestLines(db, waiting.items, party, now), totalCount: waiting.totalCount },
      stuck: {
        totalCount: open.totalCount <= looked ? waitForOthers.length : open.totalCount,
        items: await Promise.all(
          stuckLines.map(async (line) => {
            const loaded = stuck.find(({ row }) => row.id === line.id)!
            const reminder = await findReminder(db, loaded, who.userId, now)
            return { ...line, ...awaitedIn(loaded), reminder }
          }),
        ),
      },
      finished: {
        totalCount: ended.totalCount,
        items: await requestLines(db, await inOrder(db, ended.ids), party, now),
      },
      ending,
    }
  })
}

/** Whether the author can do this act, so that the request waits for the author. */
function isAnswer(act: string): boolean {
  return act === 'sign' || act === 'approve' || act === 'confirm'
}

const everything = {
  status: requestStatuses.all,
  name: '',
  author: '',
  bin: null,
  classifierId: null,
  from: null,
  to: null,
  sort: defaultRequestSort,
  skip: 0,
} as const

async function inOrder(db: Db, ids: readonly string[]): Promise<LoadedRequest[]> {
  const found = await findRequestsAmong(db, [...ids])
  return ids.flatMap((id) => found.find(({ row }) => row.id === id) ?? [])
}

/** Whose turn it is, and since when; if nobody is asked, since the last change. */
function awaitedIn({ row, signing, terminating, request }: LoadedRequest) {
  const points = processOf(request) === 'terminating' ? terminating : signing
  const current = pointStatusNumbers(currentPointStatuses)
  const awaited = points.filter(({ status }) => current.includes(status))
  const times = awaited.flatMap(({ turnCameAt }) => turnCameAt ?? [])
  const since = times.toSorted((one, other) => one.getTime() - other.getTime())[0] ?? row.changedAt
  return { waitsFor: [...new Set(awaited.map(nameOf))], since: since.toISOString() }
}

function nameOf({ groupName, organizationName, bin, name }: PointRow): string {
  return groupName || organizationName || bin || name
}

async function endingFor(db: Db, organizationId: string, today: string) {
  const [subscriptions, powers] = await Promise.all([
    findSubscriptions(db, organizationId),
    findEndingPowers(db, organizationId, { from: today, to: addDays(today, toldDaysBefore) }),
  ])
  const subscription = endingSubscription(subscriptions, today)
  return [
    ...(subscription
      ? [
          {
            kind: 'subscription' as const,
            subject: subscription.nameKey,
            id: null,
            date: subscription.endDate,
          },
        ]
      : []),
    ...powers.map(({ id, holderName, validUntil }) => ({
      kind: 'power' as const,
      subject: holderName,
      id,
      date: validUntil,
    })),
  ]
}
