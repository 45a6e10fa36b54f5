/** Which signatures stand under a document: what is made of them is out of date when another one comes. */
import type { Db } from '@kelisim/db/db.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import { signingPointIds, type Loaded } from '../../requests/core/loaded.ts'

export type Process = (typeof signedSets)[number]

/** Their ids, each with the timestamp that came later. How an organisation agreed within itself is not for others. */
export async function findAcceptedUnder(
  db: Db,
  { row, signing }: Pick<Loaded, 'row' | 'signing'>,
  process: Process,
): Promise<string[]> {
  const points = signingPointIds(signing)
  if (points.length === 0) return []
  const accepted = await db
    .selectFrom('requestSignatures as s')
    .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
    .select(['s.id', 't.time'])
    .where('s.requestId', '=', row.id)
    .where('s.attempt', '=', process === 'signing' ? 0 : row.attempt)
    .where('s.state', '=', 'accepted')
    .where('s.pointId', 'in', points)
    .orderBy('s.receivedAt')
    .orderBy('s.id')
    .execute()
  return accepted.map(({ id, time }) => (time ? `${id} ${time.toISOString()}` : id))
}
