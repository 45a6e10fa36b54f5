import type { Insertable } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export function findFinding(
  db: Db,
  { sha256, kind, version }: { sha256: Buffer; kind: string; version: number },
  now: Date,
) {
  return db
    .selectFrom('fileFindings')
    .select('fault')
    .where('sha256', '=', sha256)
    .where('kind', '=', kind)
    .where('version', '=', version)
    .where('expiresAt', '>', now)
    .modifyEnd(byKey)
    .executeTakeFirst()
}

export async function saveFinding(tx: Tx, row: Insertable<Schema['fileFindings']>): Promise<void> {
  await tx
    .insertInto('fileFindings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['sha256', 'kind']).doUpdateSet(row))
    .execute()
}

export async function sweepFindings(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('fileFindings').where('expiresAt', '<=', now).execute()
}
