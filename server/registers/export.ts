/** A journal as a table for a spreadsheet. */
import type { Db } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { downloadJournal } from '@kelisim/domain/registers/contract.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Files } from '../http/files.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { giveXlsx, type Cell } from '../tables/write-xlsx.ts'
import type { JournalRow } from './core/queries.ts'
import { entryView, keptJournal } from './kept-journal.ts'
import { findEntriesAfter } from './queries.ts'

export function exportHandlers(files: Files): void {
  const limited = oneAtATime()

  files.give(downloadJournal, async ({ input, who, db, language }) => {
    const journal = await keptJournal(db, who.member, input.journalId)
    const t = textsOf(language, 'registers')
    const columns = [
      { title: t('export.number'), width: 18 },
      { title: t('export.registeredOn'), width: 14 },
      { title: t('export.name'), width: 50 },
      { title: t('export.kind'), width: 20 },
      { title: t('export.signingDate'), width: 14 },
      { title: t(`export.${journal.direction}`), width: 40 },
      { title: t('export.bin'), width: 15 },
      { title: t('export.registeredBy'), width: 30 },
      { title: t('export.request'), width: 38 },
    ]
    const name = safeName(
      `${journal.name}${input.year === undefined ? '' : ` ${input.year}`}.xlsx`,
      'journal.xlsx',
    )
    const rows = rowsOf(db, journal, input.year)
    return limited(who.userId, () => giveXlsx({ sheet: journal.name, columns, rows }, name))
  })
}

const piece = 1000

async function* rowsOf(
  db: Db,
  journal: JournalRow,
  year: number | undefined,
): AsyncGenerator<readonly Cell[]> {
  let after = { year: -1, counter: 0 }
  for (;;) {
    const rows = await findEntriesAfter(db, journal.id, { after, take: piece, year })
    for (const row of rows) {
      const entry = entryView(row, journal)
      yield [
        entry.number,
        { day: dateInAlmaty(row.registeredAt) },
        entry.name,
        entry.kind ?? '',
        { day: entry.signingDate },
        entry.counterparty?.name ?? '',
        entry.counterparty?.bin ?? '',
        entry.registeredBy,
        entry.signingRequestId,
      ]
    }
    const last = rows.at(-1)
    if (!last || rows.length < piece) return
    after = last
  }
}
