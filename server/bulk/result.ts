/** What became of each row, as a table: the columns that were uploaded and the outcome beside them. */
import type { Db } from '@kelisim/db/db.ts'
import { downloadBulkResult } from '@kelisim/domain/bulk/contract.ts'
import type { PlannedRow } from '@kelisim/domain/bulk/plan.ts'
import { memberRequestPage } from '@kelisim/domain/pages.ts'
import { textsOf } from '@kelisim/texts/server.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import type { Files } from '../http/files.ts'
import type { Caller } from '../http/serve.ts'
import { findRegistrations } from '../registers/core/queries.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { safeName } from '../requests/reading/archive-names.ts'
import { giveXlsx } from '../tables/write-xlsx.ts'
import type { Bulk, BulkRow } from './queries.ts'

type BulkContent = { bulk: Bulk; rows: BulkRow[]; planned: PlannedRow[] }
type Find = (db: Db, who: Caller<'member'>, bulkId: string, now: Date) => Promise<BulkContent>

export function resultHandlers(files: Files, { find, publicUrl }: { find: Find; publicUrl: URL }): void {
  const limited = oneAtATime()

  files.give(downloadBulkResult, async ({ input, who, db, now, language }) => {
    const { bulk, rows, planned } = await find(db, who, input.bulkId, now)
    const t = textsOf(language, 'bulk')
    const problems = new Map(planned.map((row) => [row.number, row.problems]))
    const numbers = await findRegistrations(
      db,
      rows.flatMap(({ requestId }) => requestId ?? []),
    )
    const columns = [
      { title: t('result.row'), width: 8 },
      ...bulk.columns.map((title) => ({ title, width: 20 })),
      { title: t('result.state'), width: 16 },
      { title: t('result.reason'), width: 60 },
      { title: t('result.number'), width: 18 },
      { title: t('result.link'), width: 60 },
    ]
    const table = rows.map((row) => {
      const registered = numbers
        .get(row.requestId ?? '')
        ?.find((one) => one.organizationId === bulk.organizationId)
      return [
        String(row.number),
        ...row.cells,
        t(`rowStates.${row.state}`),
        reasonOf(row, row.state === 'sent' ? [] : (problems.get(row.number) ?? []), language),
        registered?.number ?? '',
        row.requestId === null ? '' : new URL(memberRequestPage(row.requestId), publicUrl).href,
      ]
    })
    const name = safeName(
      `${bulk.fileName.replace(/\.(xlsx|csv)$/i, '')} ${t('result.suffix')}.xlsx`,
      'result.xlsx',
    )
    return limited(who.userId, () => giveXlsx({ sheet: t('result.sheet'), columns, rows: table }, name))
  })
}

function reasonOf({ failure }: BulkRow, problems: PlannedRow['problems'], language: Language): string {
  const t = textsOf(language, 'bulk')
  if (failure) {
    const words = textsOf(language, 'errors')
    return words(`${failure.alias}.text` as never, failure.parameters)
  }
  return problems
    .map(({ column, problem, row }) => {
      const said = t(`problems.${problem}`, { row: row ?? 0 })
      return column === '' ? said : t('columnProblem', { column, problem: said })
    })
    .join('; ')
}
