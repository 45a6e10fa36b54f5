/**
 * Reminders: ten weeks without a change of status, then every seven days; and by hand, once a day. To whoever the request
 * waits for at that moment.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { firstReminderAfter, isReminderDue } from '@kelisim/domain/notifications/again.ts'
import { remindersOf } from '@kelisim/domain/notifications/notices.ts'
import { openStatuses, statusNumbers } from '@kelisim/domain/requests/status.ts'
import { lockedRequest } from '../requests/core/state.ts'
import { give, type TellingOutside } from './telling.ts'
import { storyOf } from './story.ts'
import type { Loaded } from '../requests/core/loaded.ts'

/** Two processes at once remind once: each request is locked before it is looked at. */
export async function remindByClock(outside: TellingOutside): Promise<void> {
  const { database, clock } = outside
  for (let after = ''; ;) {
    const ids = await findForgotten(database.db, after, clock())
    if (ids.length === 0) return
    after = ids.at(-1)!
    for (const id of ids) {
      await database.write(async (tx) => {
        const loaded = await lockedRequest(tx, id)
        const lastByClock = await findLastReminder(tx, id, 'clock')
        const now = clock()
        const isDue =
          loaded && isReminderDue({ statusChangedAt: loaded.row.statusChangedAt, lastByClock }, now)
        if (isDue) await remind(tx, loaded, null, outside)
      })
    }
  }
}

/** How many were told; that it was done is written down in any case. */
export async function remind(
  tx: Tx,
  loaded: Loaded,
  by: string | null,
  outside: TellingOutside,
): Promise<number> {
  const now = outside.clock()
  const told = await storyOf(tx, loaded, now)
  const notices = remindersOf(told.story).filter(({ to }) => to.userId === null || to.userId !== by)
  const { number } = await tx
    .insertInto('requestReminders')
    .values({
      requestId: loaded.row.id,
      at: now,
      by,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from request_reminders where request_id = ${loaded.row.id})`,
    })
    .returning('number')
    .executeTakeFirstOrThrow()
  const given = notices.map((notice) => ({
    notice,
    occasion: `r${number}`,
    about: { by: loaded.row.authorName, comment: '', asks: notice.asks, process: notice.process },
  }))
  await give(tx, loaded, told, given, now, outside)
  return given.length
}

const atOnce = 200

/** Somebody is to act on them, and nothing has moved for long; by their ids, so many at once. */
async function findForgotten(db: Db, after: string, now: Date): Promise<string[]> {
  const before = new Date(now.getTime() - firstReminderAfter)
  const rows = await db
    .selectFrom('signingRequests')
    .select('id')
    // Literals: the planner must see that this is the condition of the partial index.
    .where(
      sql<boolean>`status in (${sql.join(statusNumbers(openStatuses).map((status) => sql.lit(status)))})`,
    )
    .where('statusChangedAt', '<=', before)
    .$if(after !== '', (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(atOnce)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findLastReminder(
  db: Db,
  requestId: string,
  whose: 'clock' | 'hand',
): Promise<Date | null> {
  const row = await db
    .selectFrom('requestReminders')
    .select('at')
    .where('requestId', '=', requestId)
    .where('by', whose === 'clock' ? 'is' : 'is not', null)
    .orderBy('number', 'desc')
    .executeTakeFirst()
  return row?.at ?? null
}
