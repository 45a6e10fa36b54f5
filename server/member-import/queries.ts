/** The table of people that an organisation imports, and what the organisation has already. */
import type { Selectable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { day } from '@kelisim/domain/durations.ts'
import type { ImportFacts } from '@kelisim/domain/member-import/rows.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { findGroupNames } from '../portal/group-queries.ts'
import { findOpenAddresses } from '../portal/invitation-queries.ts'

export type StoredImport = Selectable<Schema['memberImports']> & { authorName: string }
export type ImportRow = Selectable<Schema['memberImportRows']>

/** How long an import is kept: it holds personal data, so not longer than somebody needs to correct it. */
const kept = 30 * day

export async function addImport(
  tx: Tx,
  added: Omit<StoredImport, 'authorName' | 'pausedUntil'>,
  rows: readonly Pick<ImportRow, 'number' | 'cells' | 'problems'>[],
): Promise<void> {
  await tx
    .insertInto('memberImports')
    .values({ ...added, pausedUntil: null })
    .execute()
  await tx
    .insertInto('memberImportRows')
    .values(
      rows.map(({ number, cells, problems }) => ({
        importId: added.id,
        number,
        cells,
        problems: JSON.stringify(problems),
        state: 'new' as const,
        failure: null,
      })),
    )
    .execute()
}

export function findImport(db: Db, organizationId: string): Promise<StoredImport | undefined> {
  return imports(db).where('i.organizationId', '=', organizationId).executeTakeFirst()
}

export function findImportById(db: Db, id: string): Promise<StoredImport | undefined> {
  return imports(db).where('i.id', '=', id).executeTakeFirst()
}

function imports(db: Db) {
  return db
    .selectFrom('memberImports as i')
    .innerJoin('users as u', 'u.id', 'i.authorId')
    .selectAll('i')
    .select('u.fullName as authorName')
}

export async function deleteImport(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('memberImports').where('id', '=', id).execute()
}

export function findImportRows(db: Db, importId: string): Promise<ImportRow[]> {
  return db
    .selectFrom('memberImportRows')
    .selectAll()
    .where('importId', '=', importId)
    .orderBy('number')
    .execute()
}

export function findQueued(db: Db, importId: string, most: number): Promise<ImportRow[]> {
  return db
    .selectFrom('memberImportRows')
    .selectAll()
    .where('importId', '=', importId)
    .where('state', '=', 'queued')
    .orderBy('number')
    .limit(most)
    .execute()
}

export async function hasQueued(db: Db, importId: string): Promise<boolean> {
  return (await findQueued(db, importId, 1)).length > 0
}

/** Queues the rows; the owner who starts the import becomes the author of the invitations. */
export async function queueRows(
  tx: Tx,
  importId: string,
  numbers: readonly number[],
  { authorId, language }: { authorId: string; language: Language },
): Promise<void> {
  await tx
    .updateTable('memberImports')
    .set({ authorId, language, pausedUntil: null })
    .where('id', '=', importId)
    .execute()
  await tx
    .updateTable('memberImportRows')
    .set({ state: 'queued', failure: null })
    .where('importId', '=', importId)
    .where('number', 'in', numbers)
    .execute()
}

/** True if the row still waits; nobody else invites it before the transaction ends. */
export async function lockQueued(
  tx: Tx,
  { importId, number }: Pick<ImportRow, 'importId' | 'number'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('memberImportRows')
    .select('number')
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('state', '=', 'queued')
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export async function saveRowState(
  tx: Tx,
  { importId, number }: Pick<ImportRow, 'importId' | 'number'>,
  state: 'new' | 'invited',
): Promise<void> {
  await tx
    .updateTable('memberImportRows')
    .set({ state })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .execute()
}

export async function saveRowFailed(
  tx: Tx,
  { importId, number }: Pick<ImportRow, 'importId' | 'number'>,
  failure: { alias: string; parameters: object },
): Promise<void> {
  await tx
    .updateTable('memberImportRows')
    .set({ state: 'failed', failure: JSON.stringify(failure) })
    .where('importId', '=', importId)
    .where('number', '=', number)
    .where('state', '=', 'queued')
    .execute()
}

export async function pauseImport(tx: Tx, id: string, pausedUntil: Date): Promise<void> {
  await tx.updateTable('memberImports').set({ pausedUntil }).where('id', '=', id).execute()
}

/** Ends the pauses that are over, and returns the ids of these imports. */
export async function takePaused(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('memberImports')
    .set({ pausedUntil: null })
    .where('pausedUntil', '<=', now)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function sweepImports(tx: Tx, now: Date): Promise<void> {
  const old = new Date(now.getTime() - kept)
  await tx.deleteFrom('memberImports').where('createdAt', '<', old).execute()
}

/** The groups, members and invitations with which the rows are compared. */
export async function factsOf(db: Db, organizationId: string, now: Date): Promise<ImportFacts> {
  const [groups, members, invited] = await Promise.all([
    findGroupNames(db, organizationId),
    db
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .select(['u.email', 'u.isEmailConfirmed', 'u.iin'])
      .where('m.organizationId', '=', organizationId)
      .execute(),
    findOpenAddresses(db, organizationId, now),
  ])
  return {
    groups,
    members: members.map(({ email, isEmailConfirmed, iin }) => ({
      email: isEmailConfirmed ? email : '',
      iin,
    })),
    invited,
  }
}
