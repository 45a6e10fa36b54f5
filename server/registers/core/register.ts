/** Gives a request its number in the same transaction that sends or registers it. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { countingYear, firstOfYear, formatNumber } from '@kelisim/domain/registers/numbering.ts'
import type { JournalDirection } from '@kelisim/domain/registers/permissions.ts'
import {
  addRegistration,
  findKind,
  findRegistrations,
  lockJournal,
  takeCounter,
  type RegistrationRow,
} from './queries.ts'

export type ToRegister = {
  organizationId: string
  requestId: string
  journalId: string
  direction: JournalDirection
  by: string
}

/** The request must be locked or new, and without a number in this organisation. */
export async function registerInJournal(tx: Tx, one: ToRegister, now: Date): Promise<string> {
  const { organizationId, requestId, journalId, direction, by } = one
  const journal = await lockJournal(tx, { organizationId, id: journalId }, 'share')
  if (journal?.direction !== direction) return refuse('journal-not-found')
  if (!journal.isActive) refuse('journal-closed', { name: journal.name })
  const year = countingYear(journal, now)
  const counter = await takeCounter(tx, { journalId, year, first: firstOfYear(journal, year) })
  const number = formatNumber(journal, year, counter)
  await addRegistration(tx, {
    organizationId,
    requestId,
    journalId,
    year,
    counter,
    number,
    registeredBy: by,
    registeredAt: now,
  })
  return number
}

/** The kind of a request that is being sent, if it may be used now. */
export async function kindToSend(db: Db, organizationId: string, kindId: string | undefined) {
  if (kindId === undefined) return null
  const kind = await findKind(db, organizationId, kindId)
  return kind?.isActive ? kind : refuse('kind-not-found')
}

/**
 * The sender's number belongs to the document, so everybody who sees the request sees it; any other number is shown
 * only to its own organisation.
 */
export function shownRegistrations(
  rows: readonly RegistrationRow[] | undefined,
  senderId: string,
  viewerOrganizationId: string | null,
) {
  const ofSender = rows?.find(({ organizationId }) => organizationId === senderId)
  const own = rows?.find(({ organizationId }) => organizationId === viewerOrganizationId)
  return {
    registration: ofSender
      ? { number: ofSender.number, registeredOn: dateInAlmaty(ofSender.registeredAt) }
      : null,
    ownRegistration: own
      ? {
          number: own.number,
          registeredAt: own.registeredAt.toISOString(),
          registeredBy: own.registeredByName,
          journal: { id: own.journalId, name: own.journalName },
        }
      : null,
  }
}

/** The number that the sender gave a request. */
export async function findSenderNumber(
  db: Db,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<{ number: string; registeredOn: string } | null> {
  const rows = await findRegistrations(db, [id])
  return shownRegistrations(rows.get(id), organizationId, null).registration
}
