/**
 * Reminders to everybody a request waits for: the first after ten weeks without a change of status, then every seven days;
 * and manually, once a day.
 */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { remindersOf } from '@kelisim/domain/notifications/notices.ts'
import { firstReminderAfter, isReminderDue, mayRemind } from '@kelisim/domain/notifications/resending.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import { lockedRequest } from '../requests/core/state.ts'
import { addNotices, type NotificationDependencies } from './delivery.ts'
import { notificationContext } from './notification-context.ts'
import { addReminder, findLastReminder, findUnchangedRequests } from './queries/reminders.ts'

const batch = 200

/** Each request is locked before it is checked, so two processes at once send one reminder. */
export async function sendDueReminders(dependencies: NotificationDependencies): Promise<void> {
  const { database, clock } = dependencies
  for (let afterId: string | null = null; ;) {
    const since = new Date(clock().getTime() - firstReminderAfter)
    const ids: string[] = await findUnchangedRequests(database.db, { since, afterId, limit: batch })
    if (ids.length === 0) return
    afterId = ids.at(-1)!
    for (const id of ids) {
      await database.write(async (tx) => {
        const loaded = await lockedRequest(tx, id)
        const lastScheduled = await findLastReminder(tx, id, 'scheduled')
        const isDue =
          loaded && isReminderDue({ statusChangedAt: loaded.row.statusChangedAt, lastScheduled }, clock())
        if (isDue) await sendReminders(tx, loaded, null, dependencies)
      })
    }
  }
}

/** When everybody the request waits for was last reminded, and whether this person may remind them now. */
export async function findReminder(
  db: Db,
  loaded: LoadedRequest,
  by: string,
  now: Date,
): Promise<{ lastAt: string | null; canRemind: boolean }> {
  const [lastManual, lastScheduled] = await Promise.all([
    findLastReminder(db, loaded.row.id, 'manual'),
    findLastReminder(db, loaded.row.id, 'scheduled'),
  ])
  const { request } = await notificationContext(db, loaded, now)
  const isSomebody = remindersOf(request).some(({ to }) => to.userId !== by)
  const times = [lastManual, lastScheduled].flatMap((at) => at?.toISOString() ?? []).toSorted()
  return { lastAt: times.at(-1) ?? null, canRemind: isSomebody && mayRemind(lastManual, now) }
}

/** Returns the number of recipients. The reminder is recorded even if there are none. */
export async function sendReminders(
  tx: Tx,
  loaded: LoadedRequest,
  by: string | null,
  dependencies: NotificationDependencies,
): Promise<number> {
  const now = dependencies.clock()
  const context = await notificationContext(tx, loaded, now)
  const notices = remindersOf(context.request).filter(({ to }) => to.userId === null || to.userId !== by)
  const number = await addReminder(tx, { requestId: loaded.row.id, by, at: now })
  const newNotices = notices.map((notice) => ({
    notice,
    occasion: `r${number}`,
    about: { by: loaded.row.authorName, comment: '', asks: notice.asks, process: notice.process },
  }))
  await addNotices(tx, loaded, context, newNotices, now, dependencies)
  return newNotices.length
}
