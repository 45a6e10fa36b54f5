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

/** Each piece is read in the order of its index and no further than the page may need, then they are merged. */
export async function findRoutes(
  db: Db,
  filter: RouteFilter,
): Promise<{ items: RouteLineRow[]; totalCount: number }> {
  if (filter.pieces.length === 0) return { items: [], totalCount: 0 }
  const direction = sql.raw(filter.sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(filter.sort.endsWith('name') ? 'name' : 'created_at')
  const order = sql`order by ${column} ${direction}, id ${direction}`
  const first = sql`${order} limit ${filter.skip + filter.take}`
  const [{ rows: page }, totalCount] = await Promise.all([
    sql<{ id: string }>`
      select id from (${branchesOf(filter, sql`id, ${column}`, first)}) listed
      ${order} offset ${filter.skip} limit ${filter.take}`.execute(db),
    filter.name === '' ? countListed(db, filter) : countFound(db, filter),
  ])
  const places = new Map(page.map(({ id }, i) => [id, i]))
  const items =
    places.size === 0
      ? []
      : await linesOfRoutes(db)
          .where('r.id', 'in', [...places.keys()])
          .execute()
  return {
    items: items.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!),
    totalCount,
  }
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

/** What is found often is not counted to its end. */
async function countFound(db: Db, filter: RouteFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select from (${branchesOf(filter, sql`id`, sql``)}) listed limit ${foundCountLimit + 1}) counted`.execute(
    db,
  )
  return rows[0]!.count
}

function branchesOf(
  { organizationId, kind, pieces, exceptAuthor, name }: RouteFilter,
  columns: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const common = [
    sql`organization_id = ${organizationId}`,
    sql`kind = ${kind}`,
    ...(exceptAuthor === null ? [] : [sql`author_id <> ${exceptAuthor}`]),
    ...(name === '' ? [] : [sql`lower(name) like name_pattern(${name})`]),
  ]
  const branches = pieces.map(({ authorId, scope, isActive }) => {
    const piece = [
      sql`scope = ${scope}`,
      sql`is_active = ${isActive}`,
      ...(authorId === null ? [] : [sql`author_id = ${authorId}`]),
    ]
    return sql`(select ${columns} from routes where ${sql.join([...common, ...piece], sql` and `)} ${end})`
  })
  return sql.join(branches, sql` union all `)
}
