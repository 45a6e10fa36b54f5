/** Document templates, and the texts of written documents. */
import type { Db, Tx } from '@kelisim/db/db.ts'
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

/** Templates without their text. */
export function templateLines(db: Db) {
  return db
    .selectFrom('documentTemplates as t')
    .innerJoin('users as u', 'u.id', 't.authorId')
    .select(['t.id', 't.organizationId', 't.authorId', 'u.fullName as authorName', 't.name', 't.description'])
    .select(['t.language', 't.visibility', 't.version', 't.createdAt'])
}

/** The templates with these ids that belong to this organisation, in no particular order. */
export function findTemplatesAmong(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<TemplateLine[]> {
  if (ids.length === 0) return Promise.resolve([])
  return templateLines(db).where('t.organizationId', '=', organizationId).where('t.id', 'in', ids).execute()
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

/** Locks the template: nobody changes or deletes it before the transaction ends. */
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

/** A repeated call changes nothing: the text of the first one stays. */
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
