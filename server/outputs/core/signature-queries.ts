/** Accepted signatures of a request, with the timestamps that were obtained here for them. */
import { sql, type Insertable } from 'kysely'
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { keptDigests } from '../../documents/digest-queries.ts'
import { isOverNewest, lastCheckedAt } from '../../requests/core/queries/signatures.ts'

export function findAcceptedAt(
  db: Db,
  { requestId, attempt, pointIds }: { requestId: string; attempt: number; pointIds: readonly string[] },
): Promise<{ id: string; time: Date | null }[]> {
  if (pointIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.id', 't.time'])
    .where('s.requestId', '=', requestId)
    .where('s.attempt', '=', attempt)
    .where('s.state', '=', 'accepted')
    .where(isOverNewest('s'))
    .where('s.pointId', 'in', pointIds)
    .orderBy('s.receivedAt')
    .orderBy('s.id')
    .execute()
}

/** Accepted signatures over every revision of the document and in every attempt to terminate, with their evidence. */
export function findAcceptedWithEvidence(db: Db, requestId: string, signatureId?: string) {
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .leftJoin('signatureRechecks as c', 'c.signatureId', 's.id')
    .leftJoin('archivedSignatures as a', 'a.signatureId', 's.id')
    .select('a.cms as archivedCms')
    .select(['s.id', 's.attempt', 's.pointId', 's.actor', 's.receivedAt', 's.verdict', 's.owner'])
    .select('s.revision')
    .select(lastCheckedAt)
    .select(['s.evidence', 's.cms', 's.timestampedCms', 't.token', 't.time', 't.evidence as stampedEvidence'])
    .where('s.requestId', '=', requestId)
    .$if(signatureId !== undefined, (query) => query.where('s.id', '=', signatureId!))
    .where('s.state', '=', 'accepted')
    .execute()
}

export type UnstampedSignature = NonNullable<Awaited<ReturnType<typeof findUnstamped>>>

/** An accepted signature for which no timestamp was obtained yet, with the file that it signs. */
export function findUnstamped(db: Db, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.cms', 's.timestampedCms', 's.fileId', 'f.organizationId', 'f.sha256', 'f.size'])
    .select(keptDigests.as('digests'))
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'accepted')
    .where('t.signatureId', 'is', null)
    .modifyEnd(byKey)
    .executeTakeFirst()
}

/** If the job runs twice, the first row stays. */
export async function addTimestamp(tx: Tx, row: Insertable<Schema['signatureTimestamps']>): Promise<void> {
  await tx
    .insertInto('signatureTimestamps')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The timestamps under which the signatures of a request are archived; the result changes when they are renewed. */
export async function findArchiveMarks(db: Db, requestId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive line (id) as (
      select p.timestamp_id from archive_proofs p join request_signatures s on s.id = p.signature_id
      where s.request_id = ${requestId}
      union
      select r.renewed_by from line join archive_renewals r on r.timestamp_id = line.id
    )
    select id from line order by id
  `.execute(db)
  return rows.map(({ id }) => id)
}
