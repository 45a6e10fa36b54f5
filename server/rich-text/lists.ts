/** Lists of document templates. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { countLimit, foundCountLimit } from '@kelisim/domain/fields.ts'
import type { templateSorts } from '@kelisim/domain/rich-text/contract.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import { templateLines, type TemplateLine } from './queries.ts'

/** A part that lies together in an index: of one author or of anybody, of one visibility. */
export type Piece = { authorId: string | null; visibility: Visibility }

export type TemplateFilter = {
  organizationId: string
  /** Together they are what the reader may see and asked for. */
  pieces: readonly Piece[]
  name: string
  sort: (typeof templateSorts)[number]
  skip: number
  take: number
}

export async function findTemplates(
  db: Db,
  filter: TemplateFilter,
): Promise<{ items: TemplateLine[]; totalCount: number }> {
  const { ids, totalCount } = filter.name === '' ? await listed(db, filter) : await found(db, filter)
  const places = new Map(ids.map((id, i) => [id, i]))
  const items = ids.length === 0 ? [] : await templateLines(db).where('t.id', 'in', ids).execute()
  return { items: items.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!), totalCount }
}

type PageOfIds = { ids: string[]; totalCount: number }

async function listed(db: Db, filter: TemplateFilter): Promise<PageOfIds> {
  const [ids, totalCount] = await Promise.all([pageInOrder(db, filter), countListed(db, filter)])
  return { ids, totalCount }
}

/** What is rare is found by its name and then put in order; what is frequent is met soon on the way in order. */
async function found(db: Db, filter: TemplateFilter): Promise<PageOfIds> {
  const anyPiece = sql.join(
    filter.pieces.map((piece) => sql`(${sql.join(conditionsOf(piece), sql` and `)})`),
    sql` or `,
  )
  const { rows } = await sql<{ ids: string[]; count: number }>`
    with found as materialized (
      select id, name, created_at from document_templates
      where ${sql.join(commonConditions(filter), sql` and `)} and (${anyPiece})
      limit ${foundCountLimit + 1})
    select (select count(*) from found) as count,
      array(select id from found ${orderOf(filter)} offset ${filter.skip} limit ${filter.take}) as ids`.execute(
    db,
  )
  const { ids, count } = rows[0]!
  return { ids: count <= foundCountLimit ? ids : await pageInOrder(db, filter), totalCount: count }
}

/** Each piece is read in the order of its index and no further than the page may need, then they are merged. */
async function pageInOrder(db: Db, filter: TemplateFilter): Promise<string[]> {
  const order = orderOf(filter)
  const branches = filter.pieces.map(
    (piece) => sql`(
      select id, name, created_at from document_templates
      where ${sql.join([...commonConditions(filter), ...conditionsOf(piece)], sql` and `)}
      ${order} limit ${filter.skip + filter.take})`,
  )
  const { rows } = await sql<{ id: string }>`
    select id from (${sql.join(branches, sql` union all `)}) listed
    ${order} offset ${filter.skip} limit ${filter.take}`.execute(db)
  return rows.map(({ id }) => id)
}

function orderOf({ sort }: TemplateFilter): RawBuilder<unknown> {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(sort.endsWith('name') ? 'name' : 'created_at')
  return sql`order by ${column} ${direction}, id ${direction}`
}

function commonConditions({ organizationId, name }: TemplateFilter): RawBuilder<unknown>[] {
  return [
    sql`organization_id = ${organizationId}`,
    ...(name === '' ? [] : [sql`lower(name) like name_pattern(${name})`]),
  ]
}

function conditionsOf({ authorId, visibility }: Piece): RawBuilder<unknown>[] {
  return [sql`visibility = ${visibility}`, ...(authorId === null ? [] : [sql`author_id = ${authorId}`])]
}

async function countListed(db: Db, { organizationId, pieces }: TemplateFilter): Promise<number> {
  const { count } = await db
    .selectFrom('documentTemplateCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('organizationId', '=', organizationId)
    .where((eb) =>
      eb.or(
        pieces.map(({ authorId, visibility }) =>
          eb.and([
            eb('visibility', '=', visibility),
            ...(authorId === null ? [] : [eb('authorId', '=', authorId)]),
          ]),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Math.min(count, countLimit + 1)
}
