/** Classifiers of organisations. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { classifierSorts } from '@kelisim/domain/classifiers/contract.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import { inOrderOf, isNamed, pageInOrder, pageOfFound, type ListQuery } from '../lists/page-queries.ts'

export type ClassifierRow = {
  id: string
  name: string
  authorId: string
  authorName: string
  version: number
  createdAt: Date
}

export async function findClassifiers(
  db: Db,
  organizationId: string,
  { name, ...page }: { name: string; sort: (typeof classifierSorts)[number]; skip: number; take: number },
): Promise<{ items: ClassifierRow[]; totalCount: number }> {
  const conditions = [sql`organization_id = ${organizationId}`, ...isNamed(name)]
  const query: ListQuery = { ...page, table: 'classifiers', conditions, pieces: [[]] }
  const { ids, totalCount } =
    name === ''
      ? { ids: await pageInOrder(db, query), totalCount: await countListed(db, organizationId) }
      : await pageOfFound(db, query)
  const items = ids.length === 0 ? [] : await wholeClassifiers(db).where('c.id', 'in', ids).execute()
  return { items: inOrderOf(ids, items), totalCount }
}

async function countListed(db: Db, organizationId: string): Promise<number> {
  const kept = await db
    .selectFrom('classifierCounts')
    .select('count')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return Math.min(kept?.count ?? 0, countLimit + 1)
}

/** The classifiers with these ids that belong to the organisation, in order of name. */
export function findClassifiersAmong(
  db: Db,
  organizationId: string,
  ids: string[],
): Promise<ClassifierRow[]> {
  if (ids.length === 0) return Promise.resolve([])
  return wholeClassifiers(db)
    .where('c.organizationId', '=', organizationId)
    .where('c.id', 'in', ids)
    .orderBy('c.name')
    .orderBy('c.id')
    .execute()
}

export async function findClassifier(
  db: Db,
  organizationId: string,
  id: string,
): Promise<ClassifierRow | undefined> {
  return (await findClassifiersAmong(db, organizationId, [id]))[0]
}

function wholeClassifiers(db: Db) {
  return db
    .selectFrom('classifiers as c')
    .innerJoin('users as u', 'u.id', 'c.authorId')
    .select(['c.id', 'c.name', 'c.authorId', 'u.fullName as authorName', 'c.version', 'c.createdAt'])
}

export async function addClassifierRow(
  tx: Tx,
  row: { id: string; organizationId: string; authorId: string; name: string; createdAt: Date },
): Promise<void> {
  await tx.insertInto('classifiers').values(row).execute()
}

/** False if the version has changed. */
export async function saveClassifierRow(tx: Tx, id: string, seen: number, name: string): Promise<boolean> {
  const saved = await tx
    .updateTable('classifiers')
    .set({ name, version: seen + 1 })
    .where('id', '=', id)
    .where('version', '=', seen)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}
