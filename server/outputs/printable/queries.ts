/** Whether files can be printed with a card, as it was found out before. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export function findPrintability(db: Db, fileId: string, version: number) {
  return db
    .selectFrom('filePrintability')
    .select('fault')
    .where('fileId', '=', fileId)
    .where('version', '=', version)
    .executeTakeFirst()
}

export async function savePrintability(tx: Tx, row: Insertable<Schema['filePrintability']>): Promise<void> {
  await tx
    .insertInto('filePrintability')
    .values(row)
    .onConflict((conflict) => conflict.column('fileId').doUpdateSet(row))
    .execute()
}
