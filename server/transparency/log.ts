/** The transparency log: events of requests are appended in the transaction in which they happen. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Fact } from '@kelisim/domain/transparency/canonical.ts'
import { logEntry, type LoggedEvent } from '@kelisim/domain/transparency/entry.ts'
import { leafHash } from '@kelisim/signature/transparency/merkle.ts'
import { appendLeaves } from './tree.ts'

type Numbers = { requestId: string; first: number; last: number }

/** Called after the events are saved: the entry is built from the database, as an auditor will do it. */
export async function logEvents(tx: Tx, { requestId, first, last }: Numbers): Promise<void> {
  const events = await eventsToLog(tx)
    .where('e.requestId', '=', requestId)
    .where('e.number', '>=', first)
    .where('e.number', '<=', last)
    .orderBy('e.number')
    .execute()
  await appendLeaves(
    tx,
    events.map((event) => ({ requestId, number: event.number, hash: leafOf(event) })),
  )
}

export function leafOf(row: EventToLog): Uint8Array {
  return leafHash(Buffer.from(entryOf(row)))
}

/** The exact text that is hashed into the tree. */
export function entryOf(row: EventToLog): string {
  return logEntry(loggedEvent(row), (text) => hash('sha256', text))
}

export type EventToLog = Awaited<ReturnType<ReturnType<typeof eventsToLog>['execute']>>[number]

/** Events with the hashes of the documents and signatures they concern. */
export function eventsToLog(db: Db) {
  return db
    .selectFrom('requestEvents as e')
    .innerJoin('signingRequests as r', 'r.id', 'e.requestId')
    .innerJoin('files as f', 'f.id', 'r.fileId')
    .leftJoin('requestSignatures as s', (join) =>
      join.on(sql`s.id`, '=', sql<string>`(e.data->>'signatureId')::uuid`),
    )
    .leftJoin('requestTerminations as t', (join) =>
      join.onRef('t.requestId', '=', 'e.requestId').onRef('t.attempt', '=', 'e.attempt'),
    )
    .leftJoin('files as tf', 'tf.id', 't.fileId')
    .selectAll('e')
    .select(['f.sha256 as documentHash', 'tf.sha256 as terminatingHash'])
    .select([
      sql<Buffer | null>`sha256(s.cms)`.as('signatureHash'),
      sql<Buffer | null>`sha256(s.timestamped_cms)`.as('timestampedHash'),
    ])
}

export function loggedEvent(row: EventToLog): LoggedEvent {
  const { requestId, number, at, type, attempt, pointId, address, comment, before, after } = row
  return {
    requestId,
    number,
    at,
    type,
    attempt,
    pointId,
    address,
    comment,
    before,
    after,
    actor: row.actor,
    data: row.data as Fact,
    document: (row.terminatingHash ?? row.documentHash).toString('hex'),
    signature: row.signatureHash?.toString('hex') ?? null,
    timestampedSignature: row.timestampedHash?.toString('hex') ?? null,
    salt: row.salt?.toString('hex') ?? null,
  }
}
