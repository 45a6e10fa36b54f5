/** Registers: owners open journals and make kinds; those who keep them read journals and register requests. */
import type * as z from 'zod/mini'
import { isUniqueViolation, type Db, type Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  addDocumentKind,
  addJournal,
  getDocumentKinds,
  getJournalEntries,
  getJournals,
  mostJournals,
  mostKinds,
  saveDocumentKind,
  saveJournal,
  type DocumentKind,
  type Journal,
} from '@kelisim/domain/registers/contract.ts'
import { countingYear, firstOfYear, formatNumber } from '@kelisim/domain/registers/numbering.ts'
import { directionFor, mayRegister } from '@kelisim/domain/registers/permissions.ts'
import { registerRequest } from '@kelisim/domain/requests/sending/registration-contract.ts'
import type { Http } from '../http/open.ts'
import { lockVisibleRequest, partyOf, visibleRequest } from '../requests/core/party.ts'
import { saveEvents } from '../requests/core/saving.ts'
import { requestView } from '../requests/core/views.ts'
import {
  addJournalRow,
  addKindRow,
  countJournals,
  countKinds,
  findJournal,
  findJournals,
  findKind,
  findKinds,
  findLastCounters,
  findRegistrations,
  lockJournal,
  saveJournalRow,
  saveKindRow,
  type JournalRow,
  type KindRow,
} from './core/queries.ts'
import { registerInJournal } from './core/register.ts'
import { exportHandlers } from './export.ts'
import { entryView, keptJournal } from './kept-journal.ts'
import { findEntries } from './queries.ts'

export function openRegisters({ serve, files }: Http): void {
  journalHandlers(serve)
  kindHandlers(serve)
  exportHandlers(files)

  serve(registerRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { organizationId } = who.member
    return write(async (tx) => {
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const { row } = loaded
      if (!mayRegister(row, party.viewer)) refuse('registers-not-kept')
      const given = (await findRegistrations(tx, [row.id])).get(row.id)
      const own = given?.find((one) => one.organizationId === organizationId)
      if (own) refuse('already-registered', { number: own.number })
      const direction = directionFor(row, organizationId)
      const { journalId } = input
      const number = await registerInJournal(
        tx,
        { organizationId, requestId: row.id, journalId, direction, by: who.userId },
        now,
      )
      // The sender's number belongs to the document and its history; any other number is shown only to its own
      // organisation.
      if (direction === 'outgoing') {
        const event = { type: 'registered', by: who.userId } as const
        const details = { actor: party.actor, address, comment: '', data: { number } }
        await saveEvents(tx, loaded, [event], details, now)
      }
      return requestView(tx, await visibleRequest(tx, row.id, party), party, now)
    })
  })
}

function journalHandlers(serve: Http['serve']): void {
  serve(getJournals, async ({ who, db, now }) => {
    const rows = await findJournals(db, who.member.organizationId)
    return { totalCount: rows.length, items: await journalViews(db, rows, now) }
  })

  serve(addJournal, ({ input, who, now, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const { organizationId } = who.member
        if ((await countJournals(tx, organizationId)) >= mostJournals) refuse('registers-limit')
        const id = newId(now.getTime())
        await addJournalRow(tx, {
          ...input,
          id,
          organizationId,
          firstYear: countingYear(input, now),
          createdBy: who.userId,
          createdAt: now,
        })
        return oneJournal(tx, organizationId, id, now)
      }),
    ),
  )

  serve(saveJournal, ({ input, who, now, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const { organizationId } = who.member
        const { journalId: id, currentVersion, organizationId: _, ...change } = input
        const journal =
          (await lockJournal(tx, { organizationId, id }, 'update')) ?? refuse('journal-not-found')
        if (journal.version !== currentVersion) refuse('request-changed')
        const isRuleChanged = (['prefix', 'yearPlace', 'width', 'firstNumber'] as const).some(
          (part) => change[part] !== journal[part],
        )
        if (isRuleChanged && (await findLastCounters(tx, [id])).length > 0) refuse('journal-rule-fixed')
        await saveJournalRow(tx, id, {
          ...change,
          firstYear: isRuleChanged ? countingYear(change, now) : journal.firstYear,
          version: currentVersion,
        })
        return oneJournal(tx, organizationId, id, now)
      }),
    ),
  )

  serve(getJournalEntries, async ({ input, who, db }) => {
    const journal = await keptJournal(db, who.member, input.journalId)
    const { items, totalCount } = await findEntries(db, journal.id, input, input)
    return { totalCount, items: items.map((row) => entryView(row, journal)) }
  })
}

function kindHandlers(serve: Http['serve']): void {
  serve(getDocumentKinds, async ({ who, db }) => {
    const rows = await findKinds(db, who.member.organizationId)
    return { totalCount: rows.length, items: rows.map(kindView) }
  })

  serve(addDocumentKind, ({ input, who, now, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const { organizationId } = who.member
        if ((await countKinds(tx, organizationId)) >= mostKinds) refuse('registers-limit')
        await refuseWrongJournal(tx, organizationId, input)
        const id = newId(now.getTime())
        await addKindRow(tx, { ...input, id, organizationId, createdBy: who.userId, createdAt: now })
        return kindView((await findKind(tx, organizationId, id))!)
      }),
    ),
  )

  serve(saveDocumentKind, ({ input, who, write }) =>
    nameMustBeFree(
      write(async (tx) => {
        const { organizationId } = who.member
        const { kindId: id, currentVersion: version, name, journalId, registersAtSending, isActive } = input
        if (!(await findKind(tx, organizationId, id))) refuse('kind-not-found')
        await refuseWrongJournal(tx, organizationId, input)
        const change = { name, journalId, registersAtSending, isActive }
        if (!(await saveKindRow(tx, { id, version }, change))) refuse('request-changed')
        return kindView((await findKind(tx, organizationId, id))!)
      }),
    ),
  )
}

async function refuseWrongJournal(
  tx: Tx,
  organizationId: string,
  { journalId, registersAtSending }: { journalId: string | null; registersAtSending: boolean },
): Promise<void> {
  if (journalId === null) {
    if (registersAtSending) refuse('kind-without-journal')
    return
  }
  // What the organisation sends is registered as an outgoing document.
  const journal = await lockJournal(tx, { organizationId, id: journalId }, 'share')
  if (journal?.direction !== 'outgoing') refuse('journal-not-found')
}

/** The unique index decides if two owners use one name at the same time. */
async function nameMustBeFree<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error, 'journals_name')) refuse('journal-name-already-in-use')
    if (isUniqueViolation(error, 'document_kinds_name')) refuse('kind-name-already-in-use')
    throw error
  }
}

async function oneJournal(tx: Tx, organizationId: string, id: string, now: Date) {
  const [view] = await journalViews(tx, [(await findJournal(tx, organizationId, id))!], now)
  return view!
}

async function journalViews(
  db: Db,
  rows: readonly JournalRow[],
  now: Date,
): Promise<z.input<typeof Journal>[]> {
  const counters = await findLastCounters(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => {
    const year = countingYear(row, now)
    const last = counters.find((one) => one.journalId === row.id && one.year === year)?.last
    const next = last === undefined ? firstOfYear(row, year) : last + 1
    return {
      id: row.id,
      name: row.name,
      direction: row.direction,
      prefix: row.prefix,
      yearPlace: row.yearPlace,
      width: row.width,
      firstNumber: row.firstNumber,
      isActive: row.isActive,
      currentVersion: row.version,
      count: row.count,
      nextNumber: formatNumber(row, year, next),
    }
  })
}

function kindView(row: KindRow): z.input<typeof DocumentKind> {
  const { id, name, journalId, journalName, isJournalActive, registersAtSending, isActive, version } = row
  return {
    id,
    name,
    journal: journalId === null ? null : { id: journalId, name: journalName!, isActive: isJournalActive! },
    registersAtSending,
    isActive,
    currentVersion: version,
  }
}
