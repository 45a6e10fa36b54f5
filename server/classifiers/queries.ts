/** Questions about classifiers. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { classifierSorts } from '@kelisim/domain/classifiers/contract.ts'
import { countLimit, foundCountLimit } from '@kelisim/domain/fields.ts'

export type ClassifierRow = {
  id: string
  name: string
  authorId: string
  authorName: string
  version: number
  createdAt: Date
}

/** The page is found in one index; what belongs to its rows is fetched for them alone. */
export async function findClassifiers(
  db: Db,
  organizationId: string,
  filter: { name: string; sort: (typeof classifierSorts)[number]; skip: number; take: number },
): Promise<{ items: ClassifierRow[]; totalCount: number }> {
  const listed = listedClassifiers(db, organizationId, filter.name)
  const column = filter.sort.endsWith('name') ? 'c.name' : 'c.createdAt'
  const direction = filter.sort.startsWith('-') ? 'desc' : 'asc'
  const page = listed
    .select('c.id')
    .orderBy(column, direction)
    .orderBy('c.id', direction)
    .offset(filter.skip)
    .limit(filter.take)
    .as('page')
  const [items, totalCount] = await Promise.all([
    wholeClassifiers(db)
      .innerJoin(page, 'page.id', 'c.id')
      .orderBy(column, direction)
      .orderBy('c.id', direction)
      .execute(),
    filter.name === '' ? countListed(db, organizationId) : countFound(db, organizationId, filter.name),
  ])
  return { items, totalCount }
}

function listedClassifiers(db: Db, organizationId: string, name: string) {
  return db
    .selectFrom('classifiers as c')
    .where('c.organizationId', '=', organizationId)
    .$if(name !== '', (query) => query.where(sql<boolean>`lower(c.name) like name_pattern(${name})`))
}

async function countListed(db: Db, organizationId: string): Promise<number> {
  const kept = await db
    .selectFrom('classifierCounts')
    .select('count')
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  return Math.min(kept?.count ?? 0, countLimit + 1)
}

/** What is found often is not counted to its end. */
async function countFound(db: Db, organizationId: string, name: string): Promise<number> {
  const found = listedClassifiers(db, organizationId, name)
    .select('c.id')
    .limit(foundCountLimit + 1)
    .as('found')
  const { count } = await db
    .selectFrom(found)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Those of them that are of the organisation, by name. */
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

/** False if somebody else has renamed it since this version was seen. */
export async function saveClassifierName(tx: Tx, id: string, seen: number, name: string): Promise<boolean> {
  const saved = await tx
    .updateTable('classifiers')
    .set({ name, version: seen + 1 })
    .where('id', '=', id)
    .where('version', '=', seen)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}
