/** Questions about document templates, and about the texts that documents were written as. */
import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { countLimit, foundCountLimit } from '@kelisim/domain/fields.ts'
import type { templateSorts } from '@kelisim/domain/rich-text/contract.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import type { Language } from '@kelisim/texts/languages.ts'

export type TemplateLine = {
  id: string
  organizationId: string
  authorId: string
  authorName: string
  name: string
  description: string
  language: Language
  visibility: Visibility
  version: number
  createdAt: Date
}
export type TemplateRow = TemplateLine & { template: string }

/** A part of the templates that lie together in an index: of one author or of anybody, of one visibility. */
export type Piece = { authorId: string | null; visibility: Visibility }

export type TemplateFilter = {
  organizationId: string
  pieces: readonly Piece[]
  name: string
  sort: (typeof templateSorts)[number]
  skip: number
  take: number
}

/** Each piece is read in the order of its index and no further than the page may need, then they are merged. */
export async function findTemplates(
  db: Db,
  filter: TemplateFilter,
): Promise<{ items: TemplateLine[]; totalCount: number }> {
  const direction = sql.raw(filter.sort.startsWith('-') ? 'desc' : 'asc')
  const column = sql.raw(filter.sort.endsWith('name') ? 'name' : 'created_at')
  const order = sql`order by ${column} ${direction}, id ${direction}`
  const first = sql`${order} limit ${filter.skip + filter.take}`
  const [{ rows: page }, totalCount] = await Promise.all([
    sql<{ id: string }>`
      select id from (${piecesOf(filter, sql`id, ${column}`, first)}) listed
      ${order} offset ${filter.skip} limit ${filter.take}`.execute(db),
    filter.name === '' ? countListed(db, filter) : countFound(db, filter),
  ])
  const places = new Map(page.map(({ id }, i) => [id, i]))
  const items =
    places.size === 0
      ? []
      : await templateLines(db)
          .where('t.id', 'in', [...places.keys()])
          .execute()
  return { items: items.toSorted((one, other) => places.get(one.id)! - places.get(other.id)!), totalCount }
}

function piecesOf(
  { organizationId, name, pieces }: TemplateFilter,
  columns: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(
    pieces.map(({ authorId, visibility }) => {
      const conditions = [
        sql`organization_id = ${organizationId}`,
        sql`visibility = ${visibility}`,
        ...(authorId === null ? [] : [sql`author_id = ${authorId}`]),
        ...(name === '' ? [] : [sql`lower(name) like name_pattern(${name})`]),
      ]
      return sql`(select ${columns} from document_templates where ${sql.join(conditions, sql` and `)} ${end})`
    }),
    sql` union all `,
  )
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

/** What is found often is not counted to its end. */
async function countFound(db: Db, filter: TemplateFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from (select from (${piecesOf(filter, sql`id`, sql``)}) listed limit ${foundCountLimit + 1}) counted`.execute(
    db,
  )
  return rows[0]!.count
}

function templateLines(db: Db) {
  return db
    .selectFrom('documentTemplates as t')
    .innerJoin('users as u', 'u.id', 't.authorId')
    .select(['t.id', 't.organizationId', 't.authorId', 'u.fullName as authorName', 't.name', 't.description'])
    .select(['t.language', 't.visibility', 't.version', 't.createdAt'])
}

export function findTemplate(
  db: Db,
  organizationId: string,
  templateId: string,
): Promise<TemplateRow | undefined> {
  return templateLines(db)
    .select('t.template')
    .where('t.organizationId', '=', organizationId)
    .where('t.id', '=', templateId)
    .executeTakeFirst()
}

/** Until the transaction ends nobody changes or deletes it. */
export async function lockTemplate(
  tx: Tx,
  organizationId: string,
  templateId: string,
): Promise<TemplateRow | undefined> {
  await tx
    .selectFrom('documentTemplates')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', templateId)
    .forUpdate()
    .execute()
  return findTemplate(tx, organizationId, templateId)
}

export async function addTemplateRow(
  tx: Tx,
  row: Omit<TemplateRow, 'authorName' | 'version'>,
): Promise<void> {
  await tx.insertInto('documentTemplates').values(row).execute()
}

export async function saveTemplateRow(
  tx: Tx,
  { id, version }: TemplateRow,
  fields: Pick<TemplateRow, 'name' | 'description' | 'template' | 'language' | 'visibility'>,
): Promise<void> {
  await tx
    .updateTable('documentTemplates')
    .set({ ...fields, version: version + 1 })
    .where('id', '=', id)
    .execute()
}

export async function deleteTemplateRow(tx: Tx, templateId: string): Promise<void> {
  await tx.deleteFrom('documentTemplates').where('id', '=', templateId).execute()
}

/** Sent again after a lost answer, the first one counts. */
export async function keepWrittenText(
  tx: Tx,
  written: { documentId: string; organizationId: string; html: string; templateId: string | null },
): Promise<void> {
  await tx
    .insertInto('writtenDocuments')
    .values(written)
    .onConflict((conflict) => conflict.column('documentId').doNothing())
    .execute()
}

export function findWrittenText(
  db: Db,
  organizationId: string,
  documentId: string,
): Promise<{ html: string; templateId: string | null } | undefined> {
  return db
    .selectFrom('writtenDocuments')
    .select(['html', 'templateId'])
    .where('organizationId', '=', organizationId)
    .where('documentId', '=', documentId)
    .executeTakeFirst()
}
