/** The entries of the transparency log: the exact text of each event, and its leaf. */
import { hash } from 'node:crypto'
import type { Fact } from '@kelisim/domain/transparency/canonical.ts'
import { logEntry, type LoggedEvent } from '@kelisim/domain/transparency/entry.ts'
import { leafHash } from '@kelisim/signature/transparency/merkle.ts'
import type { EventToLog } from './queries.ts'

export function leafOf(row: EventToLog): Uint8Array {
  return leafHash(Buffer.from(entryOf(row)))
}

/** The exact text that is hashed into the tree. */
export function entryOf(row: EventToLog): string {
  return logEntry(loggedEvent(row), (text) => hash('sha256', text))
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
