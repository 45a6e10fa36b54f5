/** Notifications of PostgreSQL that tell every process about a changed request. */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'

export const changesChannel = 'request_changes'

/**
 * The id under which changes of a person's notices are announced; clients choose ids of requests, so it must differ
 * from any possible one.
 */
export function ofPerson(userId: string): string {
  return `person ${userId}`
}

/** Delivered to every process when the transaction is committed. */
export async function announce(tx: Tx, signingRequestId: string, currentVersion: number): Promise<void> {
  await sql`select ${announcement(signingRequestId, currentVersion)}`.execute(tx)
}

export function announcement(signingRequestId: string, currentVersion: number): RawBuilder<unknown> {
  return sql`pg_notify(${changesChannel}, ${JSON.stringify({ signingRequestId, currentVersion })})`
}
