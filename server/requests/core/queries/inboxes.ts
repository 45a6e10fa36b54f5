/** Inboxes in which a request is listed. */
import type { Insertable } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

/** The time of arrival of a request that is already in the inbox stays as it was. */
export async function saveInboxRows(
  tx: Tx,
  rows: readonly Insertable<Schema['requestInboxes']>[],
): Promise<void> {
  await tx
    .insertInto('requestInboxes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['inbox', 'requestId']).doUpdateSet((eb) => ({
        status: eb.ref('excluded.status'),
        waits: eb.ref('excluded.waits'),
        isDone: eb.ref('excluded.isDone'),
        dueOn: eb.ref('excluded.dueOn'),
      })),
    )
    .execute()
}
