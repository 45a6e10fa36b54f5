/** Packages: several requests that were sent at once. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export async function addPackageRow(tx: Tx, row: Insertable<Schema['packages']>): Promise<void> {
  await tx.insertInto('packages').values(row).execute()
}

export function findPackageRow(db: Db, packageId: string) {
  return db.selectFrom('packages').selectAll().where('id', '=', packageId).executeTakeFirst()
}

/** In the order in which they were sent. */
export async function findPackageRequests(db: Db, packageId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('signingRequests')
    .select('id')
    .where('packageId', '=', packageId)
    .orderBy('packagePosition')
    .execute()
  return rows.map(({ id }) => id)
}
