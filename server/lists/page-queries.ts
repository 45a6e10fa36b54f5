/**
 * A page of a list made of several pieces, each contiguous in an index in the displayed order: a page of a million rows
 * costs as much as one of a thousand.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { foundCountLimit } from '@kelisim/domain/fields.ts'

type Condition = RawBuilder<unknown>

export type ListQuery = {
  /** A table with `id`, `name` and `created_at`. */
  table: string
  /** Conditions that apply to every row. */
  conditions: readonly Condition[]
  /** One set of conditions for each piece; together they form the list, and no row is in two of them. */
  pieces: readonly (readonly Condition[])[]
  /** By creation time or by name; a minus reverses the order. */
  sort: 'created' | '-created' | 'name' | '-name'
  skip: number
  take: number
}

/** Reads each piece in index order, no further than the page may need, then merges them. */
export async function pageInOrder(db: Db, query: ListQuery): Promise<string[]> {
  const { table, conditions, pieces, skip, take } = query
  const order = orderOf(query)
  const branches = pieces.map(
    (piece) => sql`(
      select id, name, created_at from ${sql.table(table)}
      where ${all([...conditions, ...piece])} ${order} limit ${skip + take})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(branches, sql` union all `)}) listed ${order} offset ${skip} limit ${take}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/**
 * For a search: rare matches are found by name and then sorted; frequent ones are found early when reading in order,
 * and are not counted to the end.
 */
export async function pageOfFound(db: Db, query: ListQuery): Promise<{ ids: string[]; totalCount: number }> {
  const { table, conditions, pieces, skip, take } = query
  const anyPiece = sql.join(
    pieces.map((piece) => sql`(${all(piece)})`),
    sql` or `,
  )
  const { rows } = await sql<{ ids: string[]; count: number }>`
    with found as materialized (
      select id, name, created_at from ${sql.table(table)}
      where ${all(conditions)} and (${anyPiece}) limit ${foundCountLimit + 1})
    select (select count(*) from found) as count,
      array(select id from found ${orderOf(query)} offset ${skip} limit ${take}) as ids`.execute(db)
  const { ids, count } = rows[0]!
  return { ids: count <= foundCountLimit ? ids : await pageInOrder(db, query), totalCount: count }
}

/** Sorts the rows in the order of the ids. */
export function inOrderOf<R extends { id: string }>(ids: readonly string[], rows: readonly R[]): R[] {
  const places = new Map(ids.map((id, i) => [id, i]))
  return rows.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!)
}

export function isNamed(name: string): Condition[] {
  return name === '' ? [] : [sql`lower(name) like name_pattern(${name})`]
}

function orderOf({ sort }: ListQuery): Condition {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(sort.endsWith('name') ? 'name' : 'created_at')
  return sql`order by ${column} ${direction}, id ${direction}`
}

function all(conditions: readonly Condition[]): Condition {
  return conditions.length === 0 ? sql`true` : sql.join([...conditions], sql` and `)
}
