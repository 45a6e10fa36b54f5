/**
 * Who left a group is not waited for. Run after the leaving is committed: every act from then on sees the group without
 * them, and for those still on their way each request is locked before it is looked at, so none is missed.
 */
import type { Database, Db } from '@kelisim/db/db.ts'
import { decide, whyNot } from '@kelisim/domain/requests/life-cycle.ts'
import { currentPointStatuses, pointStatusNumbers } from '@kelisim/domain/requests/status.ts'
import { finishTermination } from './judging.ts'
import { lockedRequest, saveEvents } from '../core/state.ts'

/** Again and again is the same as once. */
export async function settleRequestsOf(
  groupId: string,
  database: Database,
  clock: () => Date,
): Promise<void> {
  for (const requestId of await findWaitingForAll(database.db, groupId)) {
    await database.write(async (tx) => {
      const now = clock()
      const loaded = await lockedRequest(tx, requestId)
      const command = { type: 'settle' } as const
      if (!loaded || whyNot(loaded.request, command, now) !== null) return
      const events = decide(loaded.request, command, now)
      await saveEvents(tx, loaded, events, { actor: null, address: null, comment: '' }, now)
      await finishTermination(tx, requestId, now)
    })
  }
}

/** Where every participant is asked, and the turn has come. */
async function findWaitingForAll(db: Db, groupId: string): Promise<string[]> {
  const found = await db
    .selectFrom('requestPoints')
    .select('requestId')
    .distinct()
    .where('groupId', '=', groupId)
    .where('condition', '=', 'all')
    .where('status', 'in', pointStatusNumbers(currentPointStatuses))
    .execute()
  return found.map(({ requestId }) => requestId)
}
