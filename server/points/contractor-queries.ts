/** Names of contractors that the directory returned, kept for a day. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'

/** Undefined if the directory was not asked within a day. */
export async function findContractorName(
  db: Db,
  bin: string,
  now: Date,
): Promise<{ name: string | null } | undefined> {
  return db
    .selectFrom('contractorNames')
    .select('name')
    .where('bin', '=', bin)
    .where('askedAt', '>', new Date(now.getTime() - day))
    .executeTakeFirst()
}

/** Saves the name, and deletes expired ones. */
export async function keepContractorName(
  tx: Tx,
  bin: string,
  name: string | null,
  askedAt: Date,
): Promise<void> {
  await tx
    .deleteFrom('contractorNames')
    .where('askedAt', '<', new Date(askedAt.getTime() - day))
    .execute()
  await tx
    .insertInto('contractorNames')
    .values({ bin, name, askedAt })
    .onConflict((conflict) => conflict.column('bin').doUpdateSet({ name, askedAt }))
    .execute()
}
