/** Keys by which a repeated act of a client is recognised. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'

type ActKey = { actorId: string; key: string }

/** False: the person has used this key before. */
export async function addActKey(tx: Tx, row: ActKey & { requestId: string; at: Date }): Promise<boolean> {
  const added = await tx
    .insertInto('requestActKeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return added !== undefined
}

/** The request for which the person used the key. */
export async function findRequestOfKey(db: Db, { actorId, key }: ActKey): Promise<string | null> {
  const used = await db
    .selectFrom('requestActKeys')
    .select('requestId')
    .where('actorId', '=', actorId)
    .where('key', '=', key)
    .executeTakeFirst()
  return used?.requestId ?? null
}

/** After a week no client repeats an act because it got no response. */
export async function sweepActKeys(tx: Tx, now: Date): Promise<void> {
  await tx
    .deleteFrom('requestActKeys')
    .where('at', '<', new Date(now.getTime() - 7 * day))
    .execute()
}
