/** Who sees what of a request. Who may act is in life-cycle.ts. */
import { isSigningType, sideOf, type PointType } from '../points/point-types.ts'
import { isAskedAt, type Actor, type AskedAt } from './actors.ts'
import { actsOf, type PersonAct, type RequestPoint, type SigningRequest } from './life-cycle.ts'

export type Viewer = Actor & {
  /** The organisation they act for; null: only themselves. */
  organizationId: string | null
  isOwner: boolean
}

type Seen = {
  organizationId: string
  authorId: string
  points: readonly (Pick<RequestPoint, 'type' | 'status'> & SeenPoint)[]
}

type SeenPoint = AskedAt & Pick<RequestPoint, 'stoodIn'>

/** A substitute who acted keeps access as long as they act for that organisation. */
function isAt(point: SeenPoint, viewer: Viewer): boolean {
  const didAct = (point.stoodIn ?? []).includes(viewer.id) && point.organizationId === viewer.organizationId
  return isAskedAt(point, viewer) || didAct
}

/** The author, owners and internal participants of the sender see the whole request. */
export function isOfSender(request: Seen, viewer: Viewer): boolean {
  if (viewer.organizationId !== request.organizationId) return false
  const isAsked = request.points.some((point) => sideOf(point.type) === 'internal' && isAt(point, viewer))
  return viewer.id === request.authorId || viewer.isOwner || isAsked
}

/** Also a sender without an account, whose point has a number instead of a group. */
function isOutside(point: SeenPoint & { type: PointType }): boolean {
  return sideOf(point.type) !== 'internal' || point.bin !== null
}

/** External participants see it once their turn has come. */
export function maySee(request: Seen, viewer: Viewer): boolean {
  const isReceived = request.points.some(
    (point) => isOutside(point) && point.status !== 'InQueue' && isAt(point, viewer),
  )
  return isOfSender(request, viewer) || isReceived
}

/**
 * External participants see their own points and the signing ones, whose names are on the document; internal approvals of
 * another organisation are hidden.
 */
export function seesPoint(request: Seen, point: SeenPoint & { type: PointType }, viewer: Viewer): boolean {
  return isOfSender(request, viewer) || isSigningType(point.type) || isAt(point, viewer)
}

/** An author who now acts for another organisation no longer acts for the sender. */
export function speaksForSender(
  { organizationId }: { organizationId: string },
  viewer: Pick<Viewer, 'organizationId'>,
): boolean {
  return viewer.organizationId === organizationId
}

/** What this person may do now for the organisation they act for; the page shows buttons accordingly. */
export function actsFor(
  row: { organizationId: string },
  request: SigningRequest,
  viewer: Viewer,
  now: Date,
): PersonAct[] {
  const acts = actsOf(request, viewer, now)
  return speaksForSender(row, viewer) ? acts : acts.filter(({ act }) => act !== 'withdraw')
}

/** The author and owners may change classifiers and access codes. */
export function mayEditRequest(request: Seen, viewer: Viewer): boolean {
  return (
    viewer.organizationId === request.organizationId && (viewer.id === request.authorId || viewer.isOwner)
  )
}
