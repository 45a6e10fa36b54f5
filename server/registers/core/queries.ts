/** Journals, kinds of documents, and the numbers of requests. */
import { sql, type Insertable, type Selectable } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type JournalRow = Selectable<Schema['journals']> & { count: number }

function journals(db: Db) {
  return db
    .selectFrom('journals as j')
    .selectAll('j')
    .select((eb) =>
      eb
        .selectFrom('journalCounters as c')
        .select(sql<number>`coalesce(sum(c.last - c.first + 1), 0)::int`.as('count'))
        .whereRef('c.journalId', '=', 'j.id')
        .$asScalar()
        .$notNull()
        .as('count'),
    )
}

export function findJournals(db: Db, organizationId: string): Promise<JournalRow[]> {
  return journals(db)
    .where('j.organizationId', '=', organizationId)
    .orderBy('j.name')
    .orderBy('j.id')
    .execute()
}

export function findJournal(db: Db, organizationId: string, id: string): Promise<JournalRow | undefined> {
  return journals(db).where('j.organizationId', '=', organizationId).where('j.id', '=', id).executeTakeFirst()
}

/** `share`: the rule of the journal stays until the transaction ends; `update`: nobody registers in it meanwhile. */
export function lockJournal(
  tx: Tx,
  { organizationId, id }: { organizationId: string; id: string },
  how: 'share' | 'update',
): Promise<Selectable<Schema['journals']> | undefined> {
  const found = tx
    .selectFrom('journals')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', id)
  return (how === 'share' ? found.forShare() : found.forUpdate()).executeTakeFirst()
}

/** The last number of each year in these journals. */
export async function findLastCounters(db: Db, journalIds: readonly string[]) {
  if (journalIds.length === 0) return []
  return db.selectFrom('journalCounters').selectAll().where('journalId', 'in', journalIds).execute()
}

/**
 * Takes the next number: the row of the year is locked until the transaction ends, and a rollback gives the number back. `first`
 * is the number with which a new year begins.
 */
export async function takeCounter(
  tx: Tx,
  { journalId, year, first }: { journalId: string; year: number; first: number },
): Promise<number> {
  const { last } = await tx
    .insertInto('journalCounters')
    .values({ journalId, year, first, last: first })
    .onConflict((conflict) =>
      conflict.columns(['journalId', 'year']).doUpdateSet({ last: sql`journal_counters.last + 1` }),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

export async function addRegistration(tx: Tx, row: Insertable<Schema['registrations']>): Promise<void> {
  await tx.insertInto('registrations').values(row).execute()
}

export type RegistrationRow = Selectable<Schema['registrations']> & {
  journalName: string
  registeredByName: string
}

/** The numbers of these requests in all organisations. */
export async function findRegistrations(
  db: Db,
  requestIds: readonly string[],
): Promise<Map<string, RegistrationRow[]>> {
  if (requestIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('registrations as g')
    .innerJoin('journals as j', 'j.id', 'g.journalId')
    .innerJoin('users as u', 'u.id', 'g.registeredBy')
    .selectAll('g')
    .select(['j.name as journalName', 'u.fullName as registeredByName'])
    .where('g.requestId', 'in', requestIds)
    .modifyEnd(byKey)
    .execute()
  return Map.groupBy(rows, ({ requestId }) => requestId)
}

export async function countJournals(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('journals')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

export async function addJournalRow(tx: Tx, row: Insertable<Schema['journals']>): Promise<void> {
  await tx.insertInto('journals').values(row).execute()
}

type JournalChange = Partial<
  Pick<
    Selectable<Schema['journals']>,
    'name' | 'isActive' | 'prefix' | 'yearPlace' | 'width' | 'firstNumber' | 'firstYear'
  >
>

export async function saveJournalRow(
  tx: Tx,
  id: string,
  { version, ...change }: JournalChange & { version: number },
): Promise<void> {
  await tx
    .updateTable('journals')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .execute()
}

export type KindRow = Selectable<Schema['documentKinds']> & {
  journalName: string | null
  isJournalActive: boolean | null
}

function kinds(db: Db) {
  return db
    .selectFrom('documentKinds as k')
    .leftJoin('journals as j', 'j.id', 'k.journalId')
    .selectAll('k')
    .select(['j.name as journalName', 'j.isActive as isJournalActive'])
}

export function findKinds(db: Db, organizationId: string): Promise<KindRow[]> {
  return kinds(db).where('k.organizationId', '=', organizationId).orderBy('k.name').orderBy('k.id').execute()
}

export function findKind(db: Db, organizationId: string, id: string): Promise<KindRow | undefined> {
  return kinds(db).where('k.organizationId', '=', organizationId).where('k.id', '=', id).executeTakeFirst()
}

export async function countKinds(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('documentKinds')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

export async function addKindRow(tx: Tx, row: Insertable<Schema['documentKinds']>): Promise<void> {
  await tx.insertInto('documentKinds').values(row).execute()
}

/** False if the version has changed. */
export async function saveKindRow(
  tx: Tx,
  { id, version }: { id: string; version: number },
  change: Pick<Selectable<Schema['documentKinds']>, 'name' | 'journalId' | 'registersAtSending' | 'isActive'>,
): Promise<boolean> {
  const saved = await tx
    .updateTable('documentKinds')
    .set({ ...change, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}
