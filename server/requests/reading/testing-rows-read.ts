/** For tests: how many rows the queries of a list read, as PostgreSQL itself counts them. */
import { Kysely, type CompiledQuery } from 'kysely'
import type { Database, Db } from '@kelisim/db/db.ts'
import { resultNames, SnakeCaseDialect } from '@kelisim/db/names.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type RowsRead = { found: number; read: number; scans: string[] }

/** `tables`: only queries that name one of them are counted. */
export async function rowsReadBy(
  { pool }: Database,
  tables: readonly string[],
  list: (db: Db) => Promise<{ totalCount: number }>,
): Promise<RowsRead> {
  const queries: CompiledQuery[] = []
  const db = new Kysely<Schema>({
    dialect: new SnakeCaseDialect({ pool }),
    plugins: [resultNames],
    log: ({ query }) => {
      queries.push(query)
    },
  })
  const { totalCount } = await list(db)
  const plans = await Promise.all(
    queries
      .filter(({ sql }) => tables.some((table) => sql.includes(table)))
      .map(({ sql, parameters }) =>
        pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (analyze, format json) ${sql}`, [
          ...parameters,
        ]),
      ),
  )
  const nodes = plans.flatMap((plan) => nodesOf(plan.rows[0]!['QUERY PLAN'][0].Plan))
  return {
    found: totalCount,
    read: nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .reduce(
        (sum, node) =>
          sum + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)),
        0,
      ),
    scans: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!),
  }
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}
