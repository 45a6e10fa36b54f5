/** Lists of document templates. */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import type { templateSorts } from '@kelisim/domain/rich-text/contract.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import { inOrderOf, isNamed, pageInOrder, pageOfFound, type ListQuery } from '../lists/page-queries.ts'
import { templateLines, type TemplateLine } from './queries.ts'

/** An index range: of one author or of anybody, of one visibility. */
export type Piece = { authorId: string | null; visibility: Visibility }

export type TemplateFilter = {
  organizationId: string
  /** Together the pieces are what the viewer may see and asked for. */
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
  const query = templatesQuery(filter)
  const { ids, totalCount } =
    filter.name === ''
      ? { ids: await pageInOrder(db, query), totalCount: await countListed(db, filter) }
      : await pageOfFound(db, query)
  const items = ids.length === 0 ? [] : await templateLines(db).where('t.id', 'in', ids).execute()
  return { items: inOrderOf(ids, items), totalCount }
}

/** The query of a list; search uses it, too. */
export function templatesQuery({ organizationId, pieces, name, ...page }: TemplateFilter): ListQuery {
  return {
    ...page,
    table: 'document_templates',
    conditions: [sql`organization_id = ${organizationId}`, ...isNamed(name)],
    pieces: pieces.map(conditionsOf),
  }
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
