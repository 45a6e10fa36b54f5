/** Every table of the product and of its job queue, as listed by the database itself. */
import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

export type Table = { schema: string; table: string; columns: string[]; order: string[] }
export type Sequence = { schema: string; name: string; last: string | null }

export const schemas = ['public', 'pgboss']

/** All tables, without generated columns and without the statistics of the queue, which has a table for each day. */
export async function findTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select n.nspname as schema, c.relname as table,
       array(select attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
         and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
       array(select quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
         from pg_index i cross join unnest(i.indkey::int[]) with ordinality as k (attnum, position)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
         where i.indrelid = c.oid and i.indisprimary order by k.position) as order
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any ($1) and not (n.nspname = 'pgboss' and c.relname like 'queue_stats%')
     order by 1, 2`,
    [schemas],
  )
  return rows
}

export async function findSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select schemaname as schema, sequencename as name, last_value::text as last
     from pg_sequences where schemaname = any ($1) order by 1, 2`,
    [schemas],
  )
  return rows
}

/** In an order that is the same on every server, so that two copies can be compared by their hashes. */
export function copyOut(client: pg.Client, { columns, order, ...table }: Table): Readable {
  const by = order.length > 0 ? order.join(', ') : 't::text collate "C"'
  return client.query(
    copyTo(`copy (select ${listed(columns)} from ${named(table)} t order by ${by}) to stdout`),
  )
}

export function copyIn(client: pg.Client, { columns, ...table }: Omit<Table, 'order'>): Writable {
  return client.query(copyFrom(`copy ${named(table)} (${listed(columns)}) from stdin`))
}

export function named({ schema, table }: { schema: string; table: string }): string {
  return `${quoted(schema)}.${quoted(table)}`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function listed(columns: readonly string[]): string {
  return columns.map(quoted).join(', ')
}

/** Null: the queue was never started here. */
export async function jobsVersion(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ found: boolean }>(
    `select to_regclass('pgboss.version') is not null as found`,
  )
  if (!rows[0]!.found) return null
  const { rows: versions } = await client.query<{ version: number }>('select version from pgboss.version')
  return versions[0]?.version ?? null
}
