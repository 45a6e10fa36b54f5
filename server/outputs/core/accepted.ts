/** The accepted signatures of a document: an output is out of date when they change. */
import type { Db } from '@kelisim/db/db.ts'
import type { signedSets } from '@kelisim/domain/requests/files-contract.ts'
import { campaignPointIds, signingPointIds, type LoadedRequest } from '../../requests/core/loaded.ts'
import { findAcceptedAt } from './signature-queries.ts'

export type Process = (typeof signedSets)[number]

/**
 * The ids of the accepted signatures, each with the time of the timestamp that was obtained here. Internal approvals
 * are left out.
 */
export async function findAcceptedUnder(
  db: Db,
  { row, signing }: Pick<LoadedRequest, 'row' | 'signing'>,
  process: Process,
): Promise<string[]> {
  const attempt = process === 'signing' ? 0 : row.attempt
  return acceptedAt(db, { requestId: row.id, attempt, pointIds: signingPointIds(signing) })
}

/** The accepted signatures of a campaign, whose acknowledgement sheet is printed instead of the document. */
export async function findAcceptedInCampaign(
  db: Db,
  { row, signing }: Pick<LoadedRequest, 'row' | 'signing'>,
  hiddenPoints: readonly string[],
): Promise<string[]> {
  const pointIds = campaignPointIds(signing).filter((id) => !hiddenPoints.includes(id))
  return acceptedAt(db, { requestId: row.id, attempt: 0, pointIds })
}

async function acceptedAt(db: Db, at: Parameters<typeof findAcceptedAt>[1]): Promise<string[]> {
  const accepted = await findAcceptedAt(db, at)
  return accepted.map(({ id, time }) => (time ? `${id} ${time.toISOString()}` : id))
}
