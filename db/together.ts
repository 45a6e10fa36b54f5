/** Several changes in one statement. */
import { sql, type Expression, type OperationNodeSource } from 'kysely'
import type { Tx } from './db.ts'

/** An insert, update or delete that returns nothing. */
export type Change = OperationNodeSource

/**
 * Each statement costs a round trip, so several changes are sent as one statement. They do not see each other's
 * effects, so none may depend on another, and no two may change the same row. `last` is what the statement selects.
 */
export async function changeTogether(
  tx: Tx,
  changes: readonly Change[],
  last: Expression<unknown> = sql`1`,
): Promise<void> {
  const parts = changes.map((change, i) => sql`${sql.raw(`change${i}`)} as (${change})`)
  await sql`with ${sql.join(parts)} select ${last}`.execute(tx)
}
