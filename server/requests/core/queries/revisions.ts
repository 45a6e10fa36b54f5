/** The documents of a request that was corrected. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'

export type RevisionRow = Awaited<ReturnType<typeof findRevisions>>[number]

/** By revision, each with the act that added it; none if the document was never replaced. */
export function findRevisions(db: Db, requestId: string) {
  return db
    .selectFrom('requestRevisions as v')
    .innerJoin('files as f', 'f.id', 'v.fileId')
    .innerJoin('requestEvents as e', (join) =>
      join.onRef('e.requestId', '=', 'v.requestId').onRef('e.number', '=', 'v.fromEvent'),
    )
    .select([
      'v.revision',
      'v.fromEvent',
      'v.fileId',
      'v.fileName',
      'v.format',
      'f.organizationId',
      'f.size',
      'f.sha256',
    ])
    .select(['e.at', 'e.actor', 'e.comment', 'f.destroyedAt'])
    .where('v.requestId', '=', requestId)
    .orderBy('v.revision')
    .execute()
}

/** The number of the event by which the request first reached one of these points; null: it has not. */
export async function findFirstTurn(
  db: Db,
  requestId: string,
  pointIds: readonly string[],
): Promise<number | null> {
  if (pointIds.length === 0) return null
  const first = await db
    .selectFrom('requestEvents')
    .select((eb) => eb.fn.min('number').as('number'))
    .where('requestId', '=', requestId)
    .where('type', '=', 'turn-came')
    .where('pointId', 'in', pointIds)
    .executeTakeFirst()
  return first?.number ?? null
}

export async function addRevisions(
  tx: Tx,
  rows: readonly Insertable<Schema['requestRevisions']>[],
): Promise<void> {
  await tx.insertInto('requestRevisions').values(rows).execute()
}
