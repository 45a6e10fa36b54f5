/** A journal for those who keep the registers, and its entries as they see them. */
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { JournalEntry } from '@kelisim/domain/registers/contract.ts'
import { mayKeepRegisters } from '@kelisim/domain/registers/permissions.ts'
import type { Member } from '../http/session.ts'
import { findJournal, type JournalRow } from './core/queries.ts'
import type { EntryRow } from './queries.ts'

/** Refuses those who do not keep the registers. */
export async function keptJournal(
  db: Db,
  member: Pick<Member, 'organizationId' | 'roles' | 'isAppointed'>,
  journalId: string,
): Promise<JournalRow> {
  if (!mayKeepRegisters(member)) refuse('registers-not-kept')
  return (await findJournal(db, member.organizationId, journalId)) ?? refuse('journal-not-found')
}

export function entryView(
  row: EntryRow,
  { direction }: Pick<JournalRow, 'direction'>,
): z.input<typeof JournalEntry> {
  const { number, registeredBy, signingRequestId, name, kind, signingDate } = row
  const sender = { name: row.senderName, bin: row.senderBin }
  const recipient =
    row.recipientBin === null ? null : { name: row.recipientName ?? '', bin: row.recipientBin }
  return {
    number,
    registeredBy,
    signingRequestId,
    name,
    kind,
    signingDate,
    registeredAt: row.registeredAt.toISOString(),
    counterparty: direction === 'incoming' ? sender : recipient,
  }
}
