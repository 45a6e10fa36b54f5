/** Classifiers of requests. */
import { byKey, type Db, type Tx } from '@kelisim/db/db.ts'

/** By request, in order of name. */
export async function findClassifiersByRequest(db: Db, requestIds: readonly string[]) {
  if (requestIds.length === 0) return new Map<string, { classificatorId: string; name: string }[]>()
  const rows = await db
    .selectFrom('requestClassifiers as rc')
    .innerJoin('classifiers as c', 'c.id', 'rc.classifierId')
    .select(['rc.requestId', 'c.id as classificatorId', 'c.name'])
    .where('rc.requestId', 'in', requestIds)
    .orderBy('c.name')
    .modifyEnd(byKey)
    .execute()
  return Map.groupBy(rows, ({ requestId }) => requestId)
}

export async function addRequestClassifiers(
  tx: Tx,
  requestId: string,
  classifierIds: readonly string[],
): Promise<void> {
  if (classifierIds.length === 0) return
  const rows = classifierIds.map((classifierId) => ({ requestId, classifierId }))
  await tx.insertInto('requestClassifiers').values(rows).execute()
}

export async function removeRequestClassifiers(tx: Tx, requestId: string): Promise<void> {
  await tx.deleteFrom('requestClassifiers').where('requestId', '=', requestId).execute()
}
