/** The documents of a corrected request, as far as somebody may see them. */
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isAskedAt } from '@kelisim/domain/requests/actors.ts'
import { seenRevisions } from '@kelisim/domain/requests/correcting/correction.ts'
import { isOfSender, seenOf, type Viewer } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import type { LoadedRequest } from './loaded.ts'
import { findFirstTurn, findRevisions, type RevisionRow } from './queries/revisions.ts'

export async function visibleRevisions(
  db: Db,
  { row, request }: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Viewer,
): Promise<RevisionRow[]> {
  if (row.revision === 1) return []
  const revisions = await findRevisions(db, row.id)
  if (isOfSender(seenOf(row, request), viewer)) return seenRevisions(revisions, 'always')
  const mine = request.points.filter((point) => isAskedAt(point, viewer)).map(({ pointId }) => pointId)
  return seenRevisions(revisions, await findFirstTurn(db, row.id, mine))
}

type FoundRevision = Pick<
  RevisionRow,
  'fileId' | 'fileName' | 'format' | 'organizationId' | 'size' | 'destroyedAt' | 'sha256' | 'at'
>

/** One document of a request by its revision number, also of a request that was never corrected. */
export async function visibleRevision(
  db: Db,
  loaded: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Viewer,
  wanted: number,
): Promise<FoundRevision> {
  const { row } = loaded
  if (row.revision === 1 && wanted === 1) return { ...row, at: row.createdAt }
  const revisions = await visibleRevisions(db, loaded, viewer)
  return revisions.find(({ revision }) => revision === wanted) ?? refuse('file-not-found')
}
