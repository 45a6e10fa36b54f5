/** Deleted rows as JSON, and putting them back. */
import { sql } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { restoreTime, type DeletedKind } from '@kelisim/domain/deletions/deletion.ts'

type Column = { table: string; column: string }
type Reference = Column & { key: string }

/**
 * The tables with the rows of an object, the object itself first, and the columns of other tables that the database
 * sets to null when it is deleted. A test compares them with the foreign keys of the database.
 */
export const placesOf: Record<DeletedKind, { rows: Column[]; references: Reference[] }> = {
  document: {
    rows: [
      { table: 'documents', column: 'id' },
      { table: 'written_documents', column: 'document_id' },
    ],
    references: [
      { table: 'signing_requests', column: 'document_id', key: 'id' },
      { table: 'destruction_acts', column: 'document_id', key: 'id' },
    ],
  },
  documentTemplate: {
    rows: [{ table: 'document_templates', column: 'id' }],
    references: [{ table: 'written_documents', column: 'template_id', key: 'document_id' }],
  },
  point: {
    rows: [
      { table: 'points', column: 'id' },
      { table: 'point_emails', column: 'point_id' },
      { table: 'point_responsible_persons', column: 'point_id' },
    ],
    references: [],
  },
  route: routePlaces(),
  routeTemplate: routePlaces(),
}

function routePlaces() {
  return {
    rows: [
      { table: 'routes', column: 'id' },
      { table: 'route_points', column: 'route_id' },
      { table: 'route_versions', column: 'route_id' },
    ],
    references: [{ table: 'signing_requests', column: 'route_id', key: 'id' }],
  }
}

type KeptRow = { table: string; row: Record<string, unknown> }
type KeptReference = Reference & { keys: string[] }

/** Called before the object is deleted, in the same transaction; returns the id of the deletion. */
export async function keepDeleted(
  tx: Tx,
  deleted: { kind: DeletedKind; id: string; organizationId: string; by: string; at: Date },
): Promise<string> {
  const { rows: tables, references } = placesOf[deleted.kind]
  const rows: KeptRow[] = []
  for (const { table, column } of tables) {
    const found = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(table)} t where ${sql.ref(`t.${column}`)} = ${deleted.id}`.execute(
      tx,
    )
    rows.push(...found.rows.map(({ row }) => ({ table, row })))
  }
  const referring: KeptReference[] = []
  for (const reference of references) {
    const { table, column, key } = reference
    const found = await sql<{ key: string }>`
      select ${sql.ref(`t.${key}`)} as key from ${sql.table(table)} t
      where ${sql.ref(`t.${column}`)} = ${deleted.id}`.execute(tx)
    referring.push({ ...reference, keys: found.rows.map((row) => row.key) })
  }
  const id = newId(deleted.at.getTime())
  await tx
    .insertInto('deletions')
    .values({
      id,
      organizationId: deleted.organizationId,
      kind: deleted.kind,
      subjectId: deleted.id,
      deletedBy: deleted.by,
      deletedAt: deleted.at,
      rows: JSON.stringify(rows),
      referring: JSON.stringify(referring),
    })
    .execute()
  return id
}

/** Locks the deletion: of two concurrent calls that put it back, the second finds nothing. */
export async function lockDeletion(tx: Tx, organizationId: string, deletionId: string) {
  return tx
    .selectFrom('deletions')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('id', '=', deletionId)
    .forUpdate()
    .executeTakeFirst()
}

export type DeletionRow = NonNullable<Awaited<ReturnType<typeof lockDeletion>>>

/** Fails if something that the rows refer to no longer exists. */
export async function putBack(tx: Tx, { id, kind, subjectId, rows, referring }: DeletionRow): Promise<void> {
  for (const { table, row } of rows) {
    await sql`
      insert into ${sql.table(table)}
      select * from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb)`.execute(
      tx,
    )
    if (kind === 'document' && table === 'documents') {
      await tx
        .updateTable('files')
        .set({ releasedAt: null })
        .where('id', '=', String(row['file_id']))
        .execute()
    }
  }
  for (const { table, column, key, keys } of referring) {
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${subjectId}
      where ${sql.ref(key)} = any(${keys}::uuid[]) and ${sql.ref(column)} is null`.execute(tx)
  }
  await tx.deleteFrom('deletions').where('id', '=', id).execute()
}

export async function sweepDeletions(tx: Tx, now: Date): Promise<void> {
  const before = new Date(now.getTime() - restoreTime)
  await tx.deleteFrom('deletions').where('deletedAt', '<', before).execute()
}
