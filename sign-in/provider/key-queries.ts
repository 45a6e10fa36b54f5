/** SQL of the secrets of the sign-in service. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export function findKey(db: Db, name: string) {
  return db.selectFrom('signInKeys').select('value').where('name', '=', name).executeTakeFirst()
}

/** Inserts the key unless another process was faster; the first one stays. */
export async function addKey(tx: Tx, key: Insertable<Schema['signInKeys']>): Promise<void> {
  await tx
    .insertInto('signInKeys')
    .values(key)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
}
