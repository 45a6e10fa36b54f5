/** What refers to a document, a point, a route or a route template. */
import type { Expression, SqlBool } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import type { VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { statusNumbers, unfinishedStatuses } from '@kelisim/domain/requests/status.ts'

export type UsingRoute = {
  id: string
  organizationId: string
  kind: 'route' | 'template'
  name: string
  scope: VisibilityScope
  authorId: string
}
export type UsesPage<T> = { items: T[]; totalCount: number }

/** Routes and templates of all organisations with the point: a published point is used in those of others, too. */
export async function findRoutesWithPoint(
  db: Db,
  pointId: string,
  { isCommonOnly, limit }: { isCommonOnly: boolean; limit: number },
): Promise<UsesPage<UsingRoute>> {
  const rows = await db
    .selectFrom('routePoints as p')
    .innerJoin('routes as r', 'r.id', 'p.routeId')
    .select(['r.id', 'r.organizationId', 'r.kind', 'r.name', 'r.scope', 'r.authorId'])
    .select((eb) => eb.fn.countAll<number>().over().as('count'))
    .where('p.pointId', '=', pointId)
    .$if(isCommonOnly, (query) => query.where('r.scope', '=', 'common'))
    .orderBy('r.name')
    .orderBy('r.id')
    .limit(limit)
    .execute()
  return counted(rows)
}

export async function findRoutesOfTemplate(
  db: Db,
  organizationId: string,
  templateId: string,
  limit: number,
): Promise<UsesPage<UsingRoute>> {
  const rows = await db
    .selectFrom('routes as r')
    .select(['r.id', 'r.organizationId', 'r.kind', 'r.name', 'r.scope', 'r.authorId'])
    .select((eb) => eb.fn.countAll<number>().over().as('count'))
    .where('r.organizationId', '=', organizationId)
    .where('r.templateId', '=', templateId)
    .orderBy('r.name')
    .orderBy('r.id')
    .limit(limit)
    .execute()
  return counted(rows)
}

/** Unfinished requests first, then the newest. */
export async function findRequestsWith(
  db: Db,
  column: 'documentId' | 'routeId',
  id: string,
  { isUnfinishedOnly, limit }: { isUnfinishedOnly: boolean; limit: number },
): Promise<UsesPage<string>> {
  const rows = await db
    .selectFrom('signingRequests as r')
    .select('r.id')
    .select((eb) => eb.fn.countAll<number>().over().as('count'))
    .where(`r.${column}`, '=', id)
    .$if(isUnfinishedOnly, (query) => query.where('r.status', 'in', statusNumbers(unfinishedStatuses)))
    .orderBy((eb): Expression<SqlBool> => eb('r.status', 'in', statusNumbers(unfinishedStatuses)), 'desc')
    .orderBy('r.createdAt', 'desc')
    .orderBy('r.id')
    .limit(limit)
    .execute()
  const { items, totalCount } = counted(rows)
  return { items: items.map((row) => row.id), totalCount }
}

function counted<T extends { count: number }>(rows: T[]): UsesPage<Omit<T, 'count'>> {
  return {
    items: rows.map(({ count: _, ...row }) => row),
    totalCount: rows[0]?.count ?? 0,
  }
}
