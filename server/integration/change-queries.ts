/** SQL of the changes of an organisation. */
import type { Db } from '@kelisim/db/db.ts'

export type ChangeRow = {
  position: number
  requestId: string
  number: number
  type: string
  pointId: string | null
  at: Date
  /** The status of the request after the event. */
  after: number
  /** The request id of the call that caused it. */
  cause: string | null
}

/** Changes in the order in which they were committed. */
export function findChanges(
  db: Db,
  organizationId: string,
  from: number,
  take: number,
): Promise<ChangeRow[]> {
  return db
    .selectFrom('organizationChanges as c')
    .innerJoin('requestEvents as e', (join) =>
      join.onRef('e.requestId', '=', 'c.requestId').onRef('e.number', '=', 'c.number'),
    )
    .select(['c.position', 'c.requestId', 'c.number', 'e.type', 'e.pointId', 'e.at', 'e.after', 'e.cause'])
    .where('c.organizationId', '=', organizationId)
    .where('c.position', '>', from)
    .orderBy('c.position')
    .limit(take)
    .execute()
}
