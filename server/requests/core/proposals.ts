/** Proposed files, as far as somebody may see them: the side that proposed one, and the people of the sender. */
import type { Db } from '@kelisim/db/db.ts'
import { seesOpenings, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { LoadedRequest } from './loaded.ts'
import { findProposals, type ProposalRow } from './queries/proposals.ts'

export async function visibleProposals(
  db: Db,
  { row, request }: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Viewer,
): Promise<ProposalRow[]> {
  const seen = seenOf(row, request)
  const theirs = request.points.filter((point) => seesOpenings(seen, point, viewer))
  const proposals = await findProposals(db, row.id)
  return proposals.filter(({ pointId }) => theirs.some((point) => point.pointId === pointId))
}
