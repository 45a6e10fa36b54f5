/** Texts of documents: files that wait to be read, and the text that was read. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { DocumentFormat } from '@kelisim/domain/documents/formats.ts'
import type { KeptFile } from '../../documents/storage/verified.ts'

export type WaitingText = KeptFile & { format: DocumentFormat; tries: number }

/** Claims the newest file in this state. The state is a literal, because each state has its own partial index. */
export async function claimText(
  tx: Tx,
  state: 'waiting' | 'scan',
  now: Date,
  until: Date,
): Promise<WaitingText | undefined> {
  const { rows } = await sql<{ fileId: string; tries: number }>`
    update search_texts set claimed_until = ${until}, tries = tries + 1
    where file_id = (
      select file_id from search_texts
      where state = ${sql.lit(state)} and (claimed_until is null or claimed_until < ${now})
      order by file_id desc limit 1 for update skip locked)
    returning file_id as "fileId", tries`.execute(tx)
  const [claimed] = rows
  if (!claimed) return undefined
  const file = await tx
    .selectFrom('files as f')
    .leftJoin('documents as d', 'd.fileId', 'f.id')
    .leftJoin('signingRequests as r', 'r.fileId', 'f.id')
    .select(['f.id', 'f.organizationId', 'f.sha256', 'f.size'])
    .select((eb) => eb.fn.coalesce('d.format', 'r.format', eb.val('pdf')).as('format'))
    .where('f.id', '=', claimed.fileId)
    .limit(1)
    .executeTakeFirstOrThrow()
  return { ...file, format: file.format as DocumentFormat, tries: claimed.tries }
}

/** Saves nothing if the document has been deleted in the meantime. */
export async function saveText(
  tx: Tx,
  fileId: string,
  { state, pages, words }: { state: 'read' | 'scan'; pages: readonly string[]; words: readonly string[] },
): Promise<void> {
  await sql`
    update search_texts set state = ${state}, claimed_until = null, tries = 0,
      words = array_to_tsvector(${words}::text[]), pages = ${pages}::text[]
    where file_id = ${fileId}`.execute(tx)
}

export async function putOffText(tx: Tx, fileId: string, until: Date): Promise<void> {
  await tx.updateTable('searchTexts').set({ claimedUntil: until }).where('fileId', '=', fileId).execute()
}

export async function giveUpText(tx: Tx, fileId: string): Promise<void> {
  await tx
    .updateTable('searchTexts')
    .set({ state: 'failed', claimedUntil: null })
    .where('fileId', '=', fileId)
    .execute()
}

/** The pages of the documents with these ids, in one of the tables that have a file. */
export async function findPages(
  db: Db,
  table: 'documents' | 'signingRequests',
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .innerJoin('searchTexts as t', 't.fileId', `${table}.fileId`)
    .select([`${table}.id`, 't.pages'])
    .where(`${table}.id`, 'in', ids)
    .execute()
  return new Map(rows.map(({ id, pages }) => [id, pages ?? []]))
}

/** The pages of these files, as far as they have been read; of scans, if they were recognised. */
export async function findReadPages(db: Db, fileIds: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('searchTexts')
    .select(['fileId', 'pages'])
    .where('fileId', 'in', fileIds)
    .where('state', '=', 'read')
    .execute()
  return new Map(rows.map(({ fileId, pages }) => [fileId, pages ?? []]))
}

/** How many texts are in each state, for the operator. */
export function countTexts(db: Db): Promise<{ state: string; count: number }[]> {
  return db
    .selectFrom('searchTexts')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute()
}
