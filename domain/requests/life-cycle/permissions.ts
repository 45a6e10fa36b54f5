/** Who sees what of a request. Who may act is in why-not.ts. */
import { actOf, isSigningType, sideOf, type PointType } from '../../points/point-types.ts'
import { absentAt, isAskedThemselves, type Actor, type AskedAt } from '../actors.ts'
import { pointsOf, type RequestPoint, type SigningRequest } from './request.ts'
import { actsOf, type PersonAct } from './why-not.ts'
import { receiptTypes } from '../receipts/receipt.ts'
import { currentPointStatuses, openStatuses, type RequestStatus } from '../status.ts'

export type Viewer = Actor & {
  /** The organisation they act for; null: only themselves. */
  organizationId: string | null
  isOwner: boolean
  /** Whether they keep the registers of the organisation. */
  keepsRegisters?: boolean
}

export type RequestVisibility = {
  organizationId: string
  authorId: string
  points: readonly (Pick<RequestPoint, 'type' | 'status' | 'wasReached'> & SeenPoint)[]
  /** The points that wait for an act now; substitutes see a request only because of these. */
  awaited: readonly string[]
}

type SeenPoint = AskedAt & Pick<RequestPoint, 'pointId' | 'stoodIn' | 'told'>

/** The facts on which it depends who sees the request. */
export function seenOf(
  row: { organizationId: string; authorId: string },
  request: SigningRequest,
): RequestVisibility {
  const { organizationId, authorId } = row
  return {
    organizationId,
    authorId,
    points: request.points,
    awaited: awaitedPoints(request.status, pointsOf(request)),
  }
}

/** The points of the current process that wait for an act; points that only inform never do, nor ended requests. */
export function awaitedPoints(
  status: RequestStatus,
  points: readonly Pick<RequestPoint, 'pointId' | 'type' | 'status'>[],
): string[] {
  return points.filter((point) => isAwaited(status, point)).map(({ pointId }) => pointId)
}

/** Whether the request is open and it is the turn of this point, at which somebody has to act. */
export function isAwaited(status: RequestStatus, point: Pick<RequestPoint, 'type' | 'status'>): boolean {
  return (
    openStatuses.includes(status) &&
    currentPointStatuses.includes(point.status) &&
    actOf(point.type) !== 'inform'
  )
}

/**
 * Whether the viewer is one of the people of the point. A substitute is one only while the point waits for the absent
 * colleague, because documents that this colleague has already dealt with are not theirs to see. A person who acted
 * as a substitute, or was told that the deadline passed, remains one as long as they act for the same organisation.
 */
function isAt({ awaited }: RequestVisibility, point: SeenPoint, viewer: Viewer): boolean {
  const standsIn = awaited.includes(point.pointId) && absentAt(point, viewer).length > 0
  const known = [...(point.stoodIn ?? []), ...(point.told ?? [])]
  const isKnown = known.includes(viewer.id) && point.organizationId === viewer.organizationId
  return isAskedThemselves(point, viewer) || standsIn || isKnown
}

/** The author, owners and internal participants of the sender see the whole request. */
export function isOfSender(request: RequestVisibility, viewer: Viewer): boolean {
  if (viewer.organizationId !== request.organizationId) return false
  const isAsked = request.points.some(
    (point) => sideOf(point.type) === 'internal' && isAt(request, point, viewer),
  )
  return viewer.id === request.authorId || viewer.isOwner || isAsked
}

/**
 * Whether people outside the sender act at the point; includes a sender without an account, who has only a number.
 */
function isOutside(point: SeenPoint & { type: PointType }): boolean {
  return sideOf(point.type) !== 'internal' || point.bin !== null
}

/** Whether the people of the point have had the document. */
export function hasCome({ status, wasReached }: Pick<RequestPoint, 'status' | 'wasReached'>): boolean {
  return status !== 'InQueue' || wasReached === true
}

/** External participants see the request once their turn has come, and still see it after a correction. */
export function maySee(request: RequestVisibility, viewer: Viewer): boolean {
  const isReceived = request.points.some(
    (point) => isOutside(point) && hasCome(point) && isAt(request, point, viewer),
  )
  return isOfSender(request, viewer) || isReceived
}

/**
 * External participants see their own points and the signing ones, whose names are on the document; internal
 * approvals of another organisation are hidden.
 */
export function seesPoint(
  request: RequestVisibility,
  point: SeenPoint & { type: PointType },
  viewer: Viewer,
): boolean {
  return isOfSender(request, viewer) || isSigningType(point.type) || isAt(request, point, viewer)
}

/** Types of events at a point that only its own side and the sender see. */
export const eventsOfSides: readonly string[] = ['opened', ...receiptTypes, 'proposed', 'proposal-declined']

/**
 * Only the own side and the sender see who has opened the document, because colleagues who have not answered are no
 * business of others. The same applies to receipts and proposals.
 */
export function seesOpenings(request: RequestVisibility, point: SeenPoint, viewer: Viewer): boolean {
  return isOfSender(request, viewer) || isAt(request, point, viewer)
}

/** The author and the owners see what each person of a campaign answered; others see only their own answer. */
export function seesAnswersOf(
  { authorId }: Pick<RequestVisibility, 'authorId'>,
  { isPersonal }: Pick<SeenPoint, 'isPersonal'>,
  viewer: Viewer,
): boolean {
  return !isPersonal || viewer.isOwner || viewer.id === authorId
}

/** Whether the viewer acts for the sending organisation; an author who now acts for another one does not. */
export function speaksForSender(
  { organizationId }: { organizationId: string },
  viewer: Pick<Viewer, 'organizationId'>,
): boolean {
  return viewer.organizationId === organizationId
}

/** What this person may do now for the organisation they act for; the page shows buttons for it. */
export function actsFor(
  row: { organizationId: string },
  request: SigningRequest,
  viewer: Viewer,
  now: Date,
): PersonAct[] {
  const acts = actsOf(request, viewer, now)
  return speaksForSender(row, viewer)
    ? acts
    : acts.filter(({ act }) => act !== 'withdraw' && act !== 'correct' && act !== 'decline-proposal')
}

/** The author and owners may change classifiers and access codes. */
export function mayEditRequest(
  request: Pick<RequestVisibility, 'organizationId' | 'authorId'>,
  viewer: Viewer,
): boolean {
  return (
    viewer.organizationId === request.organizationId && (viewer.id === request.authorId || viewer.isOwner)
  )
}
