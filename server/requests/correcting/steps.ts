/** The steps ahead of a running request: points are added as at sending, others are moved or taken out (decision 085). */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { hasFormChoice } from '@kelisim/domain/points/signature-form.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { mostReroutings } from '@kelisim/domain/requests/correcting/contract.ts'
import type { RequestEvent } from '@kelisim/domain/requests/life-cycle/events.ts'
import type { NewPoint } from '@kelisim/domain/requests/life-cycle/request.ts'
import { pointStatusOf } from '@kelisim/domain/requests/status.ts'
import { areSameSteps, isAhead } from '@kelisim/domain/requests/steps-ahead.ts'
import { mostPoints } from '@kelisim/domain/routes/contract.ts'
import { withoutRepeats } from '@kelisim/domain/routes/route.ts'
import { faultsOf, pointsWithinReach, type PlacedPoint } from '../../routes/placed-points.ts'
import { lockPoints } from '../../routes/queries.ts'
import { placingsOf, refuseStrangers, type WantedPoint } from '../../routes/saving.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import type { Prepared } from '../core/perform.ts'
import { countReroutings } from '../core/queries/events.ts'
import { holdGroups } from '../core/queries/groups.ts'
import { getOrganization } from '../core/queries/people.ts'
import { findPointRows, movePointRows, removePointRows } from '../core/queries/requests.ts'
import type { PointRow } from '../core/queries/rows.ts'
import type { Sender } from '../sending/sender.ts'
import { refuseUnproved } from '../sending/sender.ts'
import { addPoints } from '../sending/sending.ts'
import { sentPoint, sidesOf, type SentPoint } from '../sending/sent-points.ts'

export type StepsPlan = {
  ahead: NewPoint[]
  /** The steps of `ahead` that the request does not have yet. */
  added: SentPoint[]
}

/**
 * Keeps the added points and their groups from changing before the request is saved; the request is locked after
 * them, as at sending.
 */
export async function holdAdded(tx: Tx, seen: LoadedRequest, wanted: readonly WantedPoint[]): Promise<void> {
  const pointIds = unknownTo(seen, wanted).map(({ pointId }) => pointId)
  await holdGroups(tx, await lockPoints(tx, pointIds))
}

/** Makes the list that replaces all steps ahead; refuses points that could not be sent to now. */
export async function planOf(
  db: Db,
  seen: LoadedRequest,
  sender: Sender,
  wanted: readonly WantedPoint[],
): Promise<StepsPlan> {
  const steps = withoutRepeats(wanted)
  const { organizationId, userId } = sender
  const placings = placingsOf(unknownTo(seen, steps), []).map((placing) => ({ ...placing, condition: null }))
  const whose = { organizationId, authorId: userId, scope: 'personal' as const }
  const { points, missing } = await pointsWithinReach(db, placings, whose, { userId, ...sender.member })
  if (missing.length > 0) refuse('points-not-found', { pointIds: missing })
  refuseStrangers(points, [])
  const [fault] = points.length > 0 ? faultsOf(whose, points) : []
  if (fault) refuse(faultAlias(fault.fault), { pointIds: fault.pointIds })
  const added = points.map((point) => withFormOf(seen, sentPoint(point)))
  if (added.length > 0) refuseUnproved(added, await getOrganization(db, organizationId), organizationId)
  const known = new Map<string, NewPoint>(
    [...points.map(newPoint), ...seen.request.points].map((point) => [point.pointId, point]),
  )
  const ahead = steps.map(({ pointId, order }) => ({ ...known.get(pointId)!, order }))
  const begun = seen.request.points.filter((point) => !isAhead(point))
  if (begun.length + ahead.length > mostPoints) refuse('too-many-points', { most: mostPoints })
  return { ahead, added }
}

function unknownTo({ request }: LoadedRequest, wanted: readonly WantedPoint[]): WantedPoint[] {
  const known = new Set(request.points.map(({ pointId }) => pointId))
  return wanted.filter(({ pointId }) => !known.has(pointId))
}

type FaultName = ReturnType<typeof faultsOf>[number]['fault']

/** Faults of the whole form do not occur here: orders are checked at the edge, and a request has points. */
function faultAlias(fault: FaultName) {
  return fault === 'no-signing-point' ||
    fault === 'order-not-positive' ||
    fault === 'unsuccessful_route_state' ||
    fault === 'private_point_in_public_route'
    ? 'points-not-found'
    : fault
}

/** All signatures of a document have one form, so an added point takes the form of those already given. */
function withFormOf({ signing }: LoadedRequest, point: SentPoint): SentPoint {
  const inside = signing.find(({ signatureForm }) => signatureForm !== 'cms')?.signatureForm
  return { ...point, signatureForm: inside && hasFormChoice(point.type) ? inside : 'cms' }
}

/** What the rules need to know of a point that is not in the request yet. */
function newPoint(point: PlacedPoint): NewPoint {
  const { pointId, order, type } = point
  return {
    pointId,
    order,
    type,
    condition: point.agreementCondition,
    quorum: point.quorum,
    isEdsRequired: point.isEdsPresentationRequired,
    participants: point.participants.map(({ userId }) => userId),
    organizationId: sideOf(type) === 'external' ? null : point.organizationId,
    bin: sideOf(type) === 'external' ? point.bin : null,
  }
}

/** Saves the points and returns the data for the history. */
export async function saveSteps(
  tx: Tx,
  { row, signing, request }: LoadedRequest,
  { added }: StepsPlan,
  events: readonly RequestEvent[],
): Promise<Prepared> {
  const ahead = events.flatMap((event) => (event.type === 'rerouted' ? event.ahead : []))
  if (areSameSteps(request.points.filter(isAhead), ahead)) refuse('steps-unchanged')
  if ((await countReroutings(tx, row.id)) >= mostReroutings)
    refuse('too-many-corrections', { most: mostReroutings })
  const orders = new Map(ahead.map(({ pointId, order }) => [pointId, order]))
  const before = signing.filter(({ status }) => isAhead({ status: pointStatusOf(status) }))
  const gone = before.filter(({ pointId }) => !orders.has(pointId)).map(({ pointId }) => pointId)
  await removePointRows(tx, row.id, gone)
  const moved = before.filter(({ pointId, order }) => orders.has(pointId) && orders.get(pointId) !== order)
  await movePointRows(
    tx,
    row.id,
    moved.map(({ pointId }) => ({ pointId, order: orders.get(pointId)! })),
  )
  const rows = added.map((point) => ({ ...point, order: orders.get(point.pointId)! }))
  if (rows.length > 0) await addPoints(tx, row.id, rows)
  const after = (await findPointRows(tx, [row.id])).filter(({ attempt }) => attempt === 0)
  return {
    signing: after,
    sides: sidesOf(after.map((point) => ({ ...point, type: typeOf(point.type)! }))),
    data: {
      before: before.map(stepOf),
      after: after.filter(({ pointId }) => orders.has(pointId)).map(stepOf),
    },
  }
}

function stepOf({ pointId, order, name }: PointRow) {
  return { pointId, order, name }
}
