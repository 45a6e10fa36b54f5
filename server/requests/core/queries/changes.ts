/** Notifications of PostgreSQL that tell every process about a changed request. */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'

export const changesChannel = 'request_changes'

/** The id under which changes of a person's notices are announced; clients choose ids of requests, so it must differ from any. */
export function ofPerson(userId: string): string {
  return `person ${userId}`
}

/** Delivered to every process when the transaction is committed. */
export async function announce(tx: Tx, signingRequestId: string, currentVersion: number): Promise<void> {
  const message = JSON.stringify({ signingRequestId, currentVersion })
  await sql`select pg_notify(${changesChannel}, ${message})`.execute(tx)
}
