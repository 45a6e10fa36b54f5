/** The rows of a bulk sending as its plan makes them. */
import type { Db } from '@kelisim/db/db.ts'
import {
  planRows,
  routeText,
  type BulkPlan,
  type PlannedRow,
  type RouteChoice,
  type TableRow,
  type TemplateVariable,
} from '@kelisim/domain/bulk/plan.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import { getOrganization } from '../requests/core/queries/people.ts'
import { findRoutesNamed } from '../routes/queries.ts'
import type { Bulk, BulkRow } from './queries.ts'

/** Empty as long as the bulk sending has no plan. */
export async function plannedRows(
  db: Db,
  bulk: Pick<Bulk, 'organizationId' | 'columns' | 'plan' | 'authorName'>,
  rows: readonly BulkRow[],
  variables: readonly TemplateVariable[],
  today: Date,
  /** Who looks at a draft; null: sending has begun, and the plan keeps the routes that the rows name. */
  viewer: Viewer | null,
): Promise<PlannedRow[]> {
  if (bulk.plan === null) return []
  const { bin, shortName } = await getOrganization(db, bulk.organizationId)
  const facts = { organization: shortName, organizationBin: bin, author: bulk.authorName, today }
  const table = rows.map(({ number, cells, problems }) => ({
    number,
    cells,
    problems: problems as TableRow['problems'],
  }))
  const routes = viewer === null ? [] : await routesNamedBy(db, bulk, bulk.plan, table, viewer)
  return planRows({ columns: bulk.columns, rows: table, plan: bulk.plan, variables, facts, routes })
}

/** The routes that the rows name, as far as the viewer sees them: a colleague's private route counts as unknown. */
async function routesNamedBy(
  db: Db,
  { organizationId, columns }: Pick<Bulk, 'organizationId' | 'columns'>,
  { way, routeColumn = '' }: BulkPlan,
  rows: readonly TableRow[],
  viewer: Viewer,
): Promise<RouteChoice[]> {
  const place = columns.indexOf(routeColumn)
  if (way !== 'route' || place === -1) return []
  const texts = new Set(rows.map(({ cells }) => routeText(cells[place] ?? '')))
  texts.delete('')
  const routes = await findRoutesNamed(db, organizationId, [...texts])
  return routes.filter((route) => maySeeRoute(viewer, route))
}
