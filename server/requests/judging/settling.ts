/**
 * Requests do not wait for a person who left a group. This runs after the change of the group is committed: later acts see
 * the new group, and acts in progress hold the lock of their request, so none is missed.
 */
import type { Database } from '@kelisim/db/db.ts'
import { whyNot } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import { performBySystem } from '../core/perform.ts'
import { findRequestsWaitingForAll } from './queries.ts'
import { lockedRequest } from '../core/state.ts'

/** Lets requests go on that waited only for somebody who has left the group. Safe to repeat. */
export async function settleRequestsOf(
  groupId: string,
  database: Database,
  clock: () => Date,
): Promise<void> {
  for (const requestId of await findRequestsWaitingForAll(database.db, groupId)) {
    await database.write(async (tx) => {
      const now = clock()
      const loaded = await lockedRequest(tx, requestId)
      const command = { type: 'settle' } as const
      if (!loaded || whyNot(loaded.request, command, now) !== null) return
      await performBySystem(tx, loaded, command, { comment: '' }, now)
    })
  }
}
