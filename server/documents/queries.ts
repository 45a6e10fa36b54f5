/** Uploaded documents and their files. */
import { sql, type RawBuilder } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { documentSorts, DocumentPath } from '@kelisim/domain/documents/contract.ts'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import type { Visibility } from '@kelisim/domain/visibility.ts'
import type { KeptFile } from './storage/verified.ts'
import { inOrderOf, isNamed, pageInOrder, pageOfFound, type ListQuery } from '../lists/page-queries.ts'

export type DocumentRow = {
  id: string
  organizationId: string
  authorId: string
  authorName: string
  fileId: string
  name: string
  description: string
  visibility: Visibility
  format: DocumentFormat
  size: number
  sha256: Buffer
  version: number
  createdAt: Date
  /** Written in the editor rather than uploaded. */
  isWritten: boolean
}

export type DocumentFilter = {
  organizationId: string
  userId: string
  path: DocumentPath
  /** A part of the name; only its beginning is compared if the database has no trigram index. */
  name: string
  sort: (typeof documentSorts)[number]
  skip: number
  take: number
}

export async function findDocuments(
  db: Db,
  filter: DocumentFilter,
): Promise<{ items: DocumentRow[]; totalCount: number }> {
  const query = documentsQuery(filter)
  const { ids, totalCount } =
    filter.name === ''
      ? { ids: await pageInOrder(db, query), totalCount: await countListed(db, filter) }
      : await pageOfFound(db, query)
  const items = ids.length === 0 ? [] : await wholeDocuments(db).where('d.id', 'in', ids).execute()
  return { items: inOrderOf(ids, items), totalCount }
}

/** The query of a list; search uses it too. */
export function documentsQuery({ organizationId, userId, path, name, ...page }: DocumentFilter): ListQuery {
  const piece: Record<DocumentPath, RawBuilder<unknown>[]> = {
    my: [sql`author_id = ${userId}`],
    // Written as a literal, because the planner must see that this is the condition of the partial index.
    public: [sql`visibility = 'public'`],
    organization: [],
  }
  const conditions = [sql`organization_id = ${organizationId}`, ...isNamed(name)]
  return { ...page, table: 'documents', conditions, pieces: [piece[path]] }
}

async function countListed(db: Db, { organizationId, userId, path }: DocumentFilter): Promise<number> {
  const { count } = await db
    .selectFrom('documentCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('count'), eb.lit(0)).as('count'))
    .where('organizationId', '=', organizationId)
    .$if(path === 'my', (query) => query.where('authorId', '=', userId))
    .$if(path === 'public', (query) => query.where('visibility', '=', 'public'))
    .executeTakeFirstOrThrow()
  return Math.min(count, countLimit + 1)
}

function wholeDocuments(db: Db) {
  return db
    .selectFrom('documents as d')
    .innerJoin('users as u', 'u.id', 'd.authorId')
    .innerJoin('files as f', 'f.id', 'd.fileId')
    .select(['d.id', 'd.organizationId', 'd.authorId', 'd.fileId', 'd.name', 'd.description'])
    .select(['d.visibility', 'd.format', 'd.version', 'd.createdAt'])
    .select(['u.fullName as authorName', 'f.size', 'f.sha256'])
    .select(sql<boolean>`exists (select from written_documents w where w.document_id = d.id)`.as('isWritten'))
}

export function findDocument(
  db: Db,
  organizationId: string,
  documentId: string,
): Promise<DocumentRow | undefined> {
  return wholeDocuments(db)
    .where('d.organizationId', '=', organizationId)
    .where('d.id', '=', documentId)
    .modifyEnd(byKey)
    .executeTakeFirst()
}

/** Documents of this organisation, in no particular order. */
export function findDocumentsAmong(
  db: Db,
  organizationId: string,
  ids: readonly string[],
): Promise<DocumentRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return wholeDocuments(db).where('d.organizationId', '=', organizationId).where('d.id', 'in', ids).execute()
}

/** Keeps others from deleting, changing or sending the document before the transaction ends. */
export async function lockDocument(
  tx: Tx,
  organizationId: string,
  documentId: string,
): Promise<DocumentRow | undefined> {
  await tx
    .selectFrom('documents')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', documentId)
    .forUpdate()
    .execute()
  return findDocument(tx, organizationId, documentId)
}

/**
 * Keeps others from deleting or changing the document before the transaction ends, while they may send it too; false:
 * it was deleted.
 */
export async function holdDocument(tx: Tx, organizationId: string, documentId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('documents')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '=', documentId)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

/** The size of all files of the organisation. */
export async function countBytes(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('fileBytes')
    .select('bytes')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return row?.bytes ?? 0
}

export type NewDocument = Omit<DocumentRow, 'authorName' | 'version' | 'isWritten'>

/** Adds the document with its file in one statement; undefined if the id is taken. */
export function addDocument(
  tx: Tx,
  { size, sha256, ...document }: NewDocument,
): Promise<DocumentRow | undefined> {
  const { fileId, organizationId, createdAt } = document
  return tx
    .with('kept', (db) =>
      db
        .insertInto('files')
        .values({ id: fileId, organizationId, sha256, size, createdAt, releasedAt: null })
        .returning(['size', 'sha256']),
    )
    .with('added', (db) =>
      db
        .insertInto('documents')
        .values(document)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returningAll(),
    )
    .selectFrom('added')
    .innerJoin('users as u', 'u.id', 'added.authorId')
    .innerJoin('kept', (join) => join.onTrue())
    .selectAll('added')
    .select(['u.fullName as authorName', 'kept.size', 'kept.sha256'])
    .select((eb) => eb.lit(false).as('isWritten'))
    .executeTakeFirst()
}

/** Where the bytes of the file are, and their hash. */
export function getFile(db: Db, fileId: string) {
  return db
    .selectFrom('files')
    .select(['id', 'organizationId', 'sha256', 'size'])
    .where('id', '=', fileId)
    .executeTakeFirstOrThrow()
}

export async function addFile(tx: Tx, file: KeptFile, now: Date): Promise<void> {
  await tx
    .insertInto('files')
    .values({ ...file, createdAt: now, releasedAt: null })
    .execute()
}

/** Fails while anything refers to the file. */
export async function removeFile(tx: Tx, fileId: string): Promise<void> {
  await tx.deleteFrom('files').where('id', '=', fileId).execute()
}

/** Whether there is a row of the file. */
export async function hasFile(db: Db, fileId: string): Promise<boolean> {
  const file = await db.selectFrom('files').select('id').where('id', '=', fileId).executeTakeFirst()
  return file !== undefined
}

/** Those of the files that have a row. */
export async function findFilesAmong(db: Db, fileIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.selectFrom('files').select('id').where('id', 'in', fileIds).execute()
  return new Set(rows.map(({ id }) => id))
}

export async function saveDescription(
  tx: Tx,
  documentId: string,
  seen: number,
  description: string,
): Promise<boolean> {
  const saved = await tx
    .updateTable('documents')
    .set({ description, version: seen + 1 })
    .where('id', '=', documentId)
    .where('version', '=', seen)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

/** Removes the document; the sweep removes the bytes later if nothing else refers to them. */
export async function removeDocument(tx: Tx, document: DocumentRow, now: Date): Promise<void> {
  await tx.deleteFrom('documents').where('id', '=', document.id).execute()
  await tx.updateTable('files').set({ releasedAt: now }).where('id', '=', document.fileId).execute()
}

/**
 * The advisory lock of files: shared by backups while they copy files, exclusive for the sweep while it removes one.
 * The number is arbitrary.
 */
export const filesLock = 5_700_259

/** False while a backup is copying files. */
export async function tryLockFiles(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(${filesLock}) as free`.execute(tx)
  return rows[0]!.free
}

export function findReleasedFiles(
  db: Db,
  before: Date,
  limit: number,
): Promise<{ id: string; organizationId: string }[]> {
  return db
    .selectFrom('files')
    .select(['id', 'organizationId'])
    .where('releasedAt', '<', before)
    .limit(limit)
    .execute()
}

export async function unreleaseFile(tx: Tx, fileId: string): Promise<void> {
  await tx.updateTable('files').set({ releasedAt: null }).where('id', '=', fileId).execute()
}
