/** Accepted signatures of a request, with the timestamps that we obtained for them. */
import type { Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { lastCheckedAt } from '../../requests/core/queries/signatures.ts'

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
    .where('s.pointId', 'in', pointIds)
    .orderBy('s.receivedAt')
    .orderBy('s.id')
    .execute()
}

/** Of the signing process and of every attempt to terminate, with their evidence. */
export function findAcceptedWithEvidence(db: Db, requestId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .leftJoin('signatureRechecks as c', 'c.signatureId', 's.id')
    .select(['s.id', 's.attempt', 's.pointId', 's.actor', 's.receivedAt', 's.verdict', 's.owner'])
    .select(lastCheckedAt)
    .select(['s.evidence', 's.cms', 's.timestampedCms', 't.token', 't.time', 't.evidence as stampedEvidence'])
    .where('s.requestId', '=', requestId)
    .where('s.state', '=', 'accepted')
    .execute()
}

export type UnstampedSignature = NonNullable<Awaited<ReturnType<typeof findUnstamped>>>

/** An accepted signature for which we have no timestamp yet, with the file it is over. */
export function findUnstamped(db: Db, signatureId: string) {
  return db
    .selectFrom('requestSignatures as s')
    .innerJoin('files as f', 'f.id', 's.fileId')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.cms', 's.timestampedCms', 's.fileId', 'f.organizationId', 'f.sha256', 'f.size'])
    .where('s.id', '=', signatureId)
    .where('s.state', '=', 'accepted')
    .where('t.signatureId', 'is', null)
    .executeTakeFirst()
}

/** The first one stays if the job runs twice. */
export async function addTimestamp(tx: Tx, row: Insertable<Schema['signatureTimestamps']>): Promise<void> {
  await tx
    .insertInto('signatureTimestamps')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
