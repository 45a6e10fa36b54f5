/** Derives what the page of a request shows from the data of the server. It decides no rules. */
import type * as z from 'zod/mini'
import { neededOf } from '@kelisim/domain/points/point.ts'
import { actOf, typeOf, type PointType } from '@kelisim/domain/points/point-types.ts'
import type { SigningRequest } from '@kelisim/domain/requests/contract.ts'
import { isDone, processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import { pointStatusOf } from '@kelisim/domain/requests/point-status-word.ts'
import {
  currentPointStatuses,
  finalStatuses,
  requestStatusOf,
  type ProcessKind,
} from '@kelisim/domain/requests/status.ts'
import { awaitedAct, mainActs, type Awaited } from './awaited.ts'

export type RequestView = z.output<typeof SigningRequest>
export type PointView = RequestView['points'][number]
export type SignatureOf = PointView['signatures'][number]
export type ActName = RequestView['acts'][number]['act']

export function kindOfPoint({ type }: Pick<PointView, 'type'>): PointType {
  return typeOf(type)!
}

export function processOfRequest(request: RequestView): ProcessKind {
  return processOf({ status: requestStatusOf(request.status) })
}

/** The points of the current process: signing or termination. */
export function currentPoints(request: RequestView): PointView[] {
  return processOfRequest(request) === 'terminating' ? (request.termination?.points ?? []) : request.points
}

export function isOver(request: RequestView): boolean {
  return finalStatuses.includes(requestStatusOf(request.status))
}

export type JudgedPoint = NonNullable<RequestView['conditions']>['points'][number]

export type StepState = 'done' | 'now' | 'queue' | 'bad' | 'passed'
export type Step = {
  order: number
  points: PointView[]
  /** Points of the route that this document did not need. */
  passed: JudgedPoint[]
  state: StepState
}

/** Groups points of the same order into steps, including points that were passed over. */
export function stepsOf(points: readonly PointView[], judged: readonly JudgedPoint[] = []): Step[] {
  const byOrder = Map.groupBy(points, ({ order }) => order)
  // A point that was passed over may have been added to the route later.
  const isAsked = (id: string) => points.some(({ pointId }) => pointId === id)
  const passedOver = Map.groupBy(
    judged.filter(({ verdict, pointId }) => verdict === 'notMet' && !isAsked(pointId)),
    ({ order }) => order,
  )
  const orders = [...new Set([...byOrder.keys(), ...passedOver.keys()])]
  return orders
    .toSorted((one, other) => one - other)
    .map((order) => {
      const together = byOrder.get(order) ?? []
      return { order, points: together, passed: passedOver.get(order) ?? [], state: stateOf(together) }
    })
}

function stateOf(points: readonly PointView[]): StepState {
  if (points.length === 0) return 'passed'
  const statuses = points.map(pointStatusOf)
  if (statuses.some((status) => status === 'Rejected' || status === 'ValidationError')) return 'bad'
  if (statuses.every((status) => status !== null && isDone({ status }))) return 'done'
  return statuses.every((status) => status === 'InQueue') ? 'queue' : 'now'
}

/** An action of the person, at a point or on the whole request. */
export type RequestAction = { act: Exclude<ActName, ApartAct>; point: PointView | null }

/** Acts that have controls of their own on the page. */
type ApartAct = 'correct' | 'propose' | 'decline-proposal'

export function actionsOf(request: RequestView): RequestAction[] {
  const points = currentPoints(request)
  return request.acts.flatMap(({ act, pointId }) =>
    act === 'correct' || act === 'propose' || act === 'decline-proposal'
      ? []
      : [{ act, point: points.find((point) => point.pointId === pointId) ?? null }],
  )
}

/** An approval that requires a digital signature is given by signing. */
export function isEdsApproval({ act, point }: RequestAction): boolean {
  return act === 'sign' && point !== null && actOf(kindOfPoint(point)) === 'approve'
}

/** The text key of an action, for its button and headline. */
export function actionName(action: RequestAction, process: ProcessKind) {
  const { act, point } = action
  if (act === 'sign') return awaitedAct(act, point ? kindOfPoint(point) : null, process)
  if (process === 'terminating' && action.act === 'reject') return 'rejectTermination'
  return action.act
}

/** The main action, the other answers, and the acts that end a request unasked. */
export function sortedActions(request: RequestView): {
  main: RequestAction | null
  others: RequestAction[]
  endings: RequestAction[]
} {
  const actions = actionsOf(request)
  const main = actions.find(({ act }) => mainActs.some((one) => one === act)) ?? null
  const rest = actions.filter((action) => action !== main)
  const order: readonly ActName[] = ['sign', 'approve', 'confirm', 'reject']
  return {
    main,
    others: rest
      .filter(({ act }) => order.includes(act))
      .toSorted((one, other) => order.indexOf(one.act) - order.indexOf(other.act)),
    endings: rest.filter(({ act }) => !order.includes(act)),
  }
}

/** A side that still has to answer: which of its people, and since when. */
export type AwaitedSide = {
  pointId: string
  name: string
  /** Empty for another organisation, whose people are not named. */
  people: string[]
  /** How many of these people have to answer. */
  needed: number
  since: string | null
}

/** The sides that the request waits for now, without those whose signature is only being checked. */
export function awaitedSides(request: RequestView): AwaitedSide[] {
  return currentPoints(request).flatMap((point) => {
    const status = pointStatusOf(point)
    if (status === null || !currentPointStatuses.includes(status)) return []
    const people = missingPeople(point)
    const needed = stillNeeded(point, people)
    if (status === 'Validation' && needed === 0) return []
    return [
      {
        pointId: point.pointId,
        name: participantName(point),
        people,
        needed,
        since: point.turnCameAt,
      },
    ]
  })
}

/** How many of the people who have not answered still have to. */
function stillNeeded(point: PointView, missing: readonly string[]): number {
  const people = point.participants.length
  return Math.max(0, neededOf(point, people) - (people - missing.length))
}

/** The people of a point who have not answered, neither themselves nor through a substitute. */
function missingPeople({ participants, acts, signatures }: PointView): string[] {
  const missing = participants.map(({ fullName }) => fullName)
  const checked = signatures.filter(({ state }) => state === 'checking').map(({ by }) => by)
  for (const { fullName, insteadOf } of [...acts, ...checked]) {
    const at = missing.indexOf(insteadOf ?? fullName)
    if (at !== -1) missing.splice(at, 1)
  }
  return missing
}

/** What an answer at a point leads to. */
export type Consequence =
  | { leadsTo: 'end' | 'next' | 'unknown' }
  | { leadsTo: 'others'; others: { name: string; more: number }[] }

/**
 * Whether the document proceeds after this answer, or whom it still waits for. Known only to the sender, because
 * nobody else sees every point.
 */
export function consequenceOf({ point }: RequestAction, request: RequestView): Consequence {
  if (request.route === null) return { leadsTo: 'unknown' }
  const others = awaitedSides(request).flatMap(({ pointId, name, needed }) => {
    if (pointId !== point?.pointId) return [{ name, more: 0 }]
    return needed > 1 ? [{ name, more: needed - 1 }] : []
  })
  if (others.length > 0) return { leadsTo: 'others', others }
  const isQueued = currentPoints(request).some((one) => pointStatusOf(one) === 'InQueue')
  return { leadsTo: isQueued ? 'next' : 'end' }
}

export function participantName({ groupName, organizationName, bin, name }: PointView): string {
  return groupName || organizationName || bin || name
}

/** A signature that is being checked. */
export function signatureBeingChecked(request: RequestView): SignatureOf | null {
  return (
    currentPoints(request)
      .flatMap(({ signatures }) => signatures)
      .find(({ state }) => state === 'checking') ?? null
  )
}

/** What the request waits for from the viewer, or that their signature is being checked; null: show the status. */
export function awaitedOf(request: RequestView): Awaited | null {
  const { main } = sortedActions(request)
  const mainAct = mainActs.find((act) => act === main?.act)
  if (main && mainAct) {
    return awaitedAct(mainAct, main.point ? kindOfPoint(main.point) : null, processOfRequest(request))
  }
  const isChecked = currentPoints(request).some(
    (point) => point.isMine && pointStatusOf(point) === 'Validation',
  )
  return isChecked && !isOver(request) ? 'checking' : null
}

/** The points that differ between two versions of the request, of each process: both have the same identifiers. */
export type ChangedPoints = Record<ProcessKind, string[]>

/**
 * The points that the page highlights. A termination that has just begun is new as a whole, so only the points that
 * it waits for are highlighted.
 */
export function changedPoints(before: RequestView, after: RequestView): ChangedPoints {
  const isSameAttempt = before.termination?.attempt === after.termination?.attempt
  return {
    signing: changedAmong(before.points, after.points),
    terminating: isSameAttempt
      ? changedAmong(before.termination?.points ?? [], after.termination?.points ?? [])
      : (after.termination?.points ?? [])
          .filter((point) => pointStatusOf(point) !== 'InQueue')
          .map(({ pointId }) => pointId),
  }
}

function changedAmong(before: readonly PointView[], after: readonly PointView[]): string[] {
  const known = new Map(before.map((point) => [point.pointId, print(point)]))
  return after.filter((point) => known.get(point.pointId) !== print(point)).map(({ pointId }) => pointId)
}

function print({ status, acts, signatures }: PointView): string {
  return JSON.stringify([status, acts.length, signatures.map(({ state }) => state)])
}

/**
 * The number of signatures in one process. Approvals by a signature are not counted, because the signed document does
 * not contain them. The signatures of a campaign are shown on the page of the campaign.
 */
export function signedCount(points: readonly PointView[]): number {
  return points
    .filter((point) => actOf(kindOfPoint(point)) !== 'approve')
    .flatMap(({ acts }) => acts)
    .filter(({ act }) => act === 'signed').length
}

/** Whether the page offers to send a copy to somebody, instead of copying the link. */
export function maySendCopy({ canEdit, organization }: RequestView): boolean {
  return canEdit && organization.confirmedAt !== null
}

/** The accepted signatures of one process. */
export function acceptedSignatures(points: readonly PointView[]): SignatureOf[] {
  return points.flatMap(({ signatures }) => signatures).filter(({ state }) => state === 'accepted')
}

/** Whether a signature at the point goes into the PDF; signatures of a termination are always beside the document. */
export function isSignedInside({ request, point }: { request: RequestView; point: PointView }): boolean {
  return point.signatureForm === 'pades' && processOfRequest(request) === 'signing'
}

export function isSignedInXml({ request, point }: { request: RequestView; point: PointView }): boolean {
  return point.signatureForm === 'xades' && processOfRequest(request) === 'signing'
}
