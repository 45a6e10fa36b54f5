/** SQL of logout notifications that are not delivered yet. */
import type { Tx } from '@kelisim/db/db.ts'
import { day, second } from '@kelisim/domain/durations.ts'

/** The part of an ended session that belongs to one application. */
export type EndedSession = { accountId: string; clientId: string; sid: string }

/** Long enough for an application to respond: no other process retries in the meantime. */
const retryDelay = 25 * second

export async function queueLogouts(tx: Tx, ended: EndedSession[], now: Date): Promise<void> {
  if (ended.length === 0) return
  await tx
    .insertInto('signInPendingLogouts')
    .values(ended.map((session) => ({ ...session, createdAt: now, attempts: 0, nextAttemptAt: now })))
    .execute()
}

/** Deletes notifications that an application has not confirmed within a day. */
export function deleteAbandoned(tx: Tx, now: Date) {
  return tx
    .deleteFrom('signInPendingLogouts')
    .where('createdAt', '<', new Date(now.getTime() - day))
    .returning(['clientId', 'attempts'])
    .execute()
}

export function takeDue(tx: Tx, now: Date) {
  return tx
    .updateTable('signInPendingLogouts')
    .set((row) => ({
      attempts: row('attempts', '+', 1),
      nextAttemptAt: new Date(now.getTime() + retryDelay),
    }))
    .where('id', 'in', (query) =>
      query
        .selectFrom('signInPendingLogouts')
        .select('id')
        .where('nextAttemptAt', '<=', now)
        .orderBy('nextAttemptAt')
        .limit(50)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'accountId', 'clientId', 'sid'])
    .execute()
}

export async function deletePendingLogout(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('signInPendingLogouts').where('id', '=', id).execute()
}
