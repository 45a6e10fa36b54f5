/** The accepted signatures of a document: an output is out of date when they change. */
import type { Db } from '@kelisim/db/db.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import { signingPointIds, type LoadedRequest } from '../../requests/core/loaded.ts'
import { findAcceptedAt } from './signature-queries.ts'

export type Process = (typeof signedSets)[number]

/** Their ids, each with the time of the timestamp that we obtained. Internal approvals are left out. */
export async function findAcceptedUnder(
  db: Db,
  { row, signing }: Pick<LoadedRequest, 'row' | 'signing'>,
  process: Process,
): Promise<string[]> {
  const attempt = process === 'signing' ? 0 : row.attempt
  const pointIds = signingPointIds(signing)
  const accepted = await findAcceptedAt(db, { requestId: row.id, attempt, pointIds })
  return accepted.map(({ id, time }) => (time ? `${id} ${time.toISOString()}` : id))
}
