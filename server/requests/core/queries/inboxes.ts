/** Inboxes in which a request is listed. */
import type { Insertable } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { Change } from '@kelisim/db/together.ts'

/** Takes the request out of the inboxes of those who were to be asked and no longer are. */
export function removedOtherInboxes(tx: Tx, requestId: string, kept: readonly string[]): Change {
  return tx
    .deleteFrom('requestInboxes')
    .where('requestId', '=', requestId)
    .where((eb) => eb.not(eb('inbox', 'in', kept)))
}

/** The time of arrival of a request that is already in the inbox stays as it was. */
export function savedInboxes(tx: Tx, rows: readonly Insertable<Schema['requestInboxes']>[]): Change {
  return tx
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
}
