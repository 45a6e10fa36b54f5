/** Which signatures stand under a document: what is made of them is out of date when another one comes. */
import type { Db } from '@kelisim/db/db.ts'
import { actOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import type { Loaded } from '../requests/state.ts'

export type Process = (typeof signedSets)[number]

/** Their ids, in order. How an organisation came to agree within itself, though with a key, is not for others. */
export async function findAcceptedUnder(
  db: Db,
  { row, signing }: Pick<Loaded, 'row' | 'signing'>,
  process: Process,
): Promise<string[]> {
  const attempt = process === 'signing' ? 0 : row.attempt
  const points = signing.filter(({ type }) => actOf(typeOf(type)!) === 'sign').map(({ pointId }) => pointId)
  if (points.length === 0) return []
  const accepted = await db
    .selectFrom('requestSignatures')
    .select('id')
    .where('requestId', '=', row.id)
    .where('attempt', '=', attempt)
    .where('state', '=', 'accepted')
    .$if(process === 'signing', (query) => query.where('pointId', 'in', points))
    .orderBy('receivedAt')
    .orderBy('id')
    .execute()
  return accepted.map(({ id }) => id)
}
