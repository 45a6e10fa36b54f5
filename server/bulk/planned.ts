/** The rows of a bulk sending as its plan makes them. */
import type { Db } from '@kelisim/db/db.ts'
import { planRows, type PlannedRow, type TableRow, type TemplateVariable } from '@kelisim/domain/bulk/plan.ts'
import { getOrganization } from '../requests/core/queries/people.ts'
import type { Bulk, BulkRow } from './queries.ts'

/** Empty while there is no plan. */
export async function plannedRows(
  db: Db,
  bulk: Pick<Bulk, 'organizationId' | 'columns' | 'plan' | 'authorName'>,
  rows: readonly BulkRow[],
  variables: readonly TemplateVariable[],
  today: Date,
): Promise<PlannedRow[]> {
  if (bulk.plan === null) return []
  const { bin, shortName } = await getOrganization(db, bulk.organizationId)
  const facts = { organization: shortName, organizationBin: bin, author: bulk.authorName, today }
  const table = rows.map(({ number, cells, problems }) => ({
    number,
    cells,
    problems: problems as TableRow['problems'],
  }))
  return planRows({ columns: bulk.columns, rows: table, plan: bulk.plan, variables, facts })
}
