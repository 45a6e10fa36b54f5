/** Lists of routes and of route templates. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { countLimit, foundCountLimit } from '@kelisim/domain/fields.ts'
import type { RouteKind, routeSorts } from '@kelisim/domain/routes/contract.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { linesOfRoutes, type RouteLineRow } from './queries.ts'

/** A part that lies together in an index: of one author or of anybody, of one scope, in use or not. */
export type Piece = { authorId: string | null; scope: VisibilityScope; isActive: boolean }

export type RouteFilter = {
  organizationId: string
  kind: RouteKind
  /** Together they are what the reader may see and asked for; none: nothing. */
  pieces: readonly Piece[]
  /** Not by this author. */
  exceptAuthor: string | null
  name: string
  sort: (typeof routeSorts)[number]
  skip: number
  take: number
}

export async function findRoutes(
  db: Db,
  filter: RouteFilter,
): Promise<{ items: RouteLineRow[]; totalCount: number }> {
  if (filter.pieces.length === 0) return { items: [], totalCount: 0 }
  const { ids, totalCount } = filter.name === '' ? await listed(db, filter) : await found(db, filter)
  const places = new Map(ids.map((id, i) => [id, i]))
  const items = ids.length === 0 ? [] : await linesOfRoutes(db).where('r.id', 'in', ids).execute()
  return {
    items: items.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!),
    totalCount,
  }
}

type PageOfIds = { ids: string[]; totalCount: number }

async function listed(db: Db, filter: RouteFilter): Promise<PageOfIds> {
  const [ids, totalCount] = await Promise.all([pageInOrder(db, filter), countListed(db, filter)])
  return { ids, totalCount }
}

/** What is rare is found by its name and then put in order; what is frequent is met soon on the way in order. */
async function found(db: Db, filter: RouteFilter): Promise<PageOfIds> {
  const { skip, take, pieces } = filter
  const anyPiece = sql.join(
    pieces.map((piece) => sql`(${sql.join(conditionsOf(piece), sql` and `)})`),
    sql` or `,
  )
  const { rows } = await sql<{ ids: string[]; count: number }>`
    with found as materialized (
      select id, name, created_at from routes
      where ${sql.join(commonConditions(filter), sql` and `)} and (${anyPiece})
      limit ${foundCountLimit + 1})
    select (select count(*) from found) as count,
      array(select id from found ${orderOf(filter)} offset ${skip} limit ${take}) as ids`.execute(db)
  const { ids, count } = rows[0]!
  return { ids: count <= foundCountLimit ? ids : await pageInOrder(db, filter), totalCount: count }
}

/** Each piece is read in the order of its index and no further than the page may need, then they are merged. */
async function pageInOrder(db: Db, filter: RouteFilter): Promise<string[]> {
  const order = orderOf(filter)
  const branches = filter.pieces.map(
    (piece) => sql`(
      select id, name, created_at from routes
      where ${sql.join([...commonConditions(filter), ...conditionsOf(piece)], sql` and `)}
      ${order} limit ${filter.skip + filter.take})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(branches, sql` union all `)}) listed
    ${order} offset ${filter.skip} limit ${filter.take}`.execute(db)
  return rows.map(({ id }) => id)
}

function orderOf({ sort }: RouteFilter): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(sort.endsWith('name') ? 'name' : 'created_at')
  return sql`order by ${column} ${direction}, id ${direction}`
}

function commonConditions({ organizationId, kind, exceptAuthor, name }: RouteFilter): RawBuilder<unknown>[] {
  return [
    sql`organization_id = ${organizationId}`,
    sql`kind = ${kind}`,
    ...(exceptAuthor === null ? [] : [sql`author_id <> ${exceptAuthor}`]),
    ...(name === '' ? [] : [sql`lower(name) like name_pattern(${name})`]),
  ]
}

function conditionsOf({ authorId, scope, isActive }: Piece): RawBuilder<unknown>[] {
  return [
    sql`scope = ${scope}`,
    sql`is_active = ${isActive}`,
    ...(authorId === null ? [] : [sql`author_id = ${authorId}`]),
  ]
}

async function countListed(
  db: Db,
  { organizationId, kind, pieces, exceptAuthor }: RouteFilter,
): Promise<number> {
  const { count } = await db
    .selectFrom('routeCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('organizationId', '=', organizationId)
    .where('kind', '=', kind)
    .where((eb) =>
      eb.or(
        pieces.map(({ authorId, scope, isActive }) =>
          eb.and([
            eb('scope', '=', scope),
            eb('isActive', '=', isActive),
            ...(authorId === null ? [] : [eb('authorId', '=', authorId)]),
          ]),
        ),
      ),
    )
    .$if(exceptAuthor !== null, (query) => query.where('authorId', '<>', exceptAuthor))
    .executeTakeFirstOrThrow()
  return Math.min(count, countLimit + 1)
}
