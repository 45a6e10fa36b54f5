/** Who sees what of a request. Who may act is in life-cycle.ts. */
import { isSigningType, sideOf, type PointType } from '../points/point-types.ts'
import { mayActAt, type Actor, type AskedAt } from './actors.ts'
import { actsOf, type PersonAct, type RequestPoint, type SigningRequest } from './life-cycle.ts'

export type Viewer = Actor & {
  /** In the name of which organisation they look; null: of nobody but themselves. */
  organizationId: string | null
  isOwner: boolean
}

type Seen = {
  organizationId: string
  authorId: string
  points: readonly (Pick<RequestPoint, 'type' | 'status'> & SeenPoint)[]
}

type SeenPoint = AskedAt & Pick<RequestPoint, 'stoodIn'>

/** What one signed instead of another one may look at as long as one speaks for that organisation. */
function isAt(point: SeenPoint, viewer: Viewer): boolean {
  const didAct = (point.stoodIn ?? []).includes(viewer.id) && point.organizationId === viewer.organizationId
  return mayActAt(point, viewer) || didAct
}

/** Of the sender's own people: the author, owners, and whoever is asked inside. They see the whole of it. */
export function isOfSender(request: Seen, viewer: Viewer): boolean {
  if (viewer.organizationId !== request.organizationId) return false
  const isAsked = request.points.some((point) => sideOf(point.type) === 'internal' && isAt(point, viewer))
  return viewer.id === request.authorId || viewer.isOwner || isAsked
}

/** Also the sender who has no account here: their point is for their number, and not for a group. */
function isOutside(point: SeenPoint & { type: PointType }): boolean {
  return sideOf(point.type) !== 'internal' || point.bin !== null
}

/** Those outside, from the moment their turn has come. */
export function maySee(request: Seen, viewer: Viewer): boolean {
  const isReceived = request.points.some(
    (point) => isOutside(point) && point.status !== 'InQueue' && isAt(point, viewer),
  )
  return isOfSender(request, viewer) || isReceived
}

/**
 * Which points of it: outside, one's own and those that sign, for theirs are the names under the document. How another
 * organisation comes to agree within itself is not for others.
 */
export function seesPoint(request: Seen, point: SeenPoint & { type: PointType }, viewer: Viewer): boolean {
  return isOfSender(request, viewer) || isSigningType(point.type) || isAt(point, viewer)
}

/** An author who went over to the other side does not speak for the sender any more. */
export function speaksForSender(
  { organizationId }: { organizationId: string },
  viewer: Pick<Viewer, 'organizationId'>,
): boolean {
  return viewer.organizationId === organizationId
}

/** What this person may do now, in whose name they look: the buttons of the page. */
export function actsFor(
  row: { organizationId: string },
  request: SigningRequest,
  viewer: Viewer,
  now: Date,
): PersonAct[] {
  const acts = actsOf(request, viewer, now)
  return speaksForSender(row, viewer) ? acts : acts.filter(({ act }) => act !== 'withdraw')
}

/** Tags and what the printable document carries are the author's, and the owners' who answer for all of it. */
export function mayEditRequest(request: Seen, viewer: Viewer): boolean {
  return (
    viewer.organizationId === request.organizationId && (viewer.id === request.authorId || viewer.isOwner)
  )
}
