/** Lists of routes and of route templates. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import type { RouteKind, routeSorts } from '@kelisim/domain/routes/contract.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { inOrderOf, isNamed, pageInOrder, pageOfFound, type ListQuery } from '../lists/page-queries.ts'
import { linesOfRoutes, type RouteLineRow } from './queries.ts'

/** An index range: of one author or of anybody, of one scope, active or not. */
export type Piece = { authorId: string | null; scope: VisibilityScope; isActive: boolean }

export type RouteFilter = {
  organizationId: string
  kind: RouteKind
  /** Together the pieces are what the viewer may see and asked for. */
  pieces: readonly Piece[]
  /** Leaves out this author. */
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
  const query = routesQuery(filter)
  const { ids, totalCount } =
    filter.name === ''
      ? { ids: await pageInOrder(db, query), totalCount: await countListed(db, filter) }
      : await pageOfFound(db, query)
  const items = ids.length === 0 ? [] : await linesOfRoutes(db).where('r.id', 'in', ids).execute()
  return { items: inOrderOf(ids, items), totalCount }
}

/** The query of a list; search uses it, too. */
export function routesQuery({
  organizationId,
  kind,
  exceptAuthor,
  name,
  pieces,
  ...page
}: RouteFilter): ListQuery {
  return {
    ...page,
    table: 'routes',
    conditions: [
      sql`organization_id = ${organizationId}`,
      sql`kind = ${kind}`,
      ...(exceptAuthor === null ? [] : [sql`author_id <> ${exceptAuthor}`]),
      ...isNamed(name),
    ],
    pieces: pieces.map(conditionsOf),
  }
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
