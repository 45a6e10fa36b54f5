/** Openings: when each person who is asked first opened the document. */
import { isAskedAt } from '../actors.ts'
import { pointsOf, processOf, type SigningRequest } from '../life-cycle/request.ts'
import type { ProcessKind } from '../status.ts'
import { awaitedPoints, type Viewer } from '../life-cycle/permissions.ts'

/** Who opened the document at which point, in the current revision. */
export type Opening = { process: ProcessKind; pointId: string | null; actorId: string }

/** The points that wait for this person and that they have not opened before. */
export function unopenedPoints(
  request: SigningRequest,
  viewer: Viewer,
  opened: readonly Opening[],
): string[] {
  const process = processOf(request)
  const byViewer = opened.filter((one) => one.process === process && one.actorId === viewer.id)
  const awaited = awaitedPoints(request.status, pointsOf(request))
  return pointsOf(request)
    .filter((point) => awaited.includes(point.pointId) && isAskedAt(point, viewer))
    .map(({ pointId }) => pointId)
    .filter((id) => !byViewer.some(({ pointId }) => pointId === id))
}
