/** SQL of what the OpenID provider stores: sessions, interactions, codes and tokens. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

/** An ended session is not found, although its row is still there. */
export function findPayload(db: Db, model: string, column: 'id' | 'uid' | 'userCode', value: string) {
  return db
    .selectFrom('signInPayloads')
    .select(['payload', 'consumedAt'])
    .where('model', '=', model)
    .where(column, '=', value)
    .where((s) => s.or([s.val(model !== 'Session'), s('consumedAt', 'is', null)]))
    .executeTakeFirst()
}

/** Leaves a consumed row as it is. */
export async function savePayload(
  tx: Tx,
  key: { model: string; id: string },
  columns: Omit<Insertable<Schema['signInPayloads']>, 'model' | 'id' | 'consumedAt'>,
): Promise<void> {
  await tx
    .insertInto('signInPayloads')
    .values({ ...key, ...columns, consumedAt: null })
    .onConflict((conflict) =>
      conflict.columns(['model', 'id']).doUpdateSet(columns).where('signInPayloads.consumedAt', 'is', null),
    )
    .execute()
}

/** False: it was consumed already. */
export async function markConsumed(tx: Tx, model: string, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('signInPayloads')
    .set({ consumedAt: now })
    .where('model', '=', model)
    .where('id', '=', id)
    .where('consumedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows !== 0n
}

export async function deletePayload(tx: Tx, model: string, id: string): Promise<void> {
  await tx.deleteFrom('signInPayloads').where('model', '=', model).where('id', '=', id).execute()
}

export async function deletePayloadsOfGrant(tx: Tx, model: string, grantId: string): Promise<void> {
  await tx.deleteFrom('signInPayloads').where('model', '=', model).where('grantId', '=', grantId).execute()
}

/** The rows stay until they expire, so that no request in progress restores the sessions. */
export async function emptySessions(tx: Tx, storedIds: string[], now: Date): Promise<void> {
  if (storedIds.length === 0) return
  await tx
    .updateTable('signInPayloads')
    .set({ payload: '{}', consumedAt: now })
    .where('model', '=', 'Session')
    .where('id', 'in', storedIds)
    .execute()
}

export async function forgetExpiredPayloads(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('signInPayloads').where('expiresAt', '<', now).execute()
}
