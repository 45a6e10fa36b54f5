/** Secrets that the installation generates for itself, shared by all processes. */
import { randomBytes } from 'node:crypto'
import type { Database, Tx } from '@kelisim/db/db.ts'

/** Returns the key, which the first process to ask for it generates. */
export async function serverKey(database: Database, name: string, now: Date): Promise<Buffer> {
  const find = (db: Pick<Tx, 'selectFrom'>) =>
    db.selectFrom('serverKeys').select('value').where('name', '=', name).executeTakeFirst()
  const known = await find(database.db)
  if (known) return known.value
  return database.write(async (tx) => {
    await tx
      .insertInto('serverKeys')
      .values({ name, value: randomBytes(32), createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await find(tx))!.value
  })
}
