/**
 * The life cycle of a signing request (docs/product/requests.md).
 *
 *   New ──start──▶ InProgress ──last signing point──▶ Signed ──last point──▶ Completed
 *    │              │  │  ▲ │                          │ ▲                    │ ▲
 *    │  reject ◀────┘  │  │ └──last point──────────────┼─┼───────────────────▶│ │
 *    │                 ▼  │ signs again                └─┼───┐ terminate  ┌───┘ │
 *    │          ValidationFail                        refused│            │     │ refused
 *    ▼                 │                                     ▼            ▼
 *   Revoked ◀─withdraw─┘               TerminatingValidationFail ◀──▶ Terminating
 *                                                                         │ last side signed
 *                                              Terminated ◀──made── TerminatingSigned
 *
 * Points of one order act in parallel. A point waits in the queue until every point of the orders before it is done;
 * then its people act, or, if they are only informed, it is done at once.
 *
 * When the deadline of a point passes, the people named in its route are told; if the route says so, one of them may
 * answer for the whole point.
 *
 * At a personal point (of a campaign), where everybody answers for themselves, signatures are checked concurrently.
 * Each concerns only its signer, so the point keeps waiting, and neither a check nor an open signing dialog delays
 * others.
 *
 * A request that has a last day and is not signed by then expires: the system withdraws it.
 *
 * Until everybody has signed, the author may replace the document. That begins a new revision: acts on the earlier
 * bytes no longer count, and the first turn comes again. The author may also change the steps ahead, at which nobody
 * is asked yet; what was done stays.
 *
 * Until then the other side may also return the document with a proposed file instead of rejecting it: the request
 * goes on, and the author takes the proposal, which is a correction, or declines it.
 *
 * whyNot  the reason why a command is refused now, or null
 * decide  turns a permitted command into events, including the events that follow automatically
 * apply   returns the request after one event
 */
import { refuse } from '../../errors.ts'
import { actOf, isSigningType, type PointAct } from '../../points/point-types.ts'
import { partOf, type Actor } from '../actors.ts'
import { newsOf } from '../deadlines/deadline.ts'
import { askedPointStatuses, openStatuses } from '../status.ts'
import { changesSides, placedAhead } from '../steps-ahead.ts'
import { apply } from './apply.ts'
import type { Command, PointCommand } from './commands.ts'
import type { DoneStatus, RequestEvent } from './events.ts'
import {
  currentTurn,
  inQueue,
  isDone,
  pointsOf,
  processOf,
  sidesThatSigned,
  withoutEscalation,
  type RequestPoint,
  type SigningRequest,
} from './request.ts'
import { whyNot } from './why-not.ts'

export function decide(request: SigningRequest, command: Command, now: Date): RequestEvent[] {
  const alias = whyNot(request, command, now)
  if (alias) refuse(alias, { status: request.status })
  return withConsequences(request, eventsOf(request, command))
}

function eventsOf(request: SigningRequest, command: Command): RequestEvent[] {
  const process = processOf(request)
  switch (command.type) {
    case 'start':
      return [
        { type: 'started' },
        ...(command.passedOver ?? []).map((point) => ({
          type: 'passed-over' as const,
          process: 'signing' as const,
          pointId: point.pointId,
          point,
        })),
      ]
    case 'sign': {
      const { pointId, signatureId } = command
      return [{ type: 'signature-taken', process, pointId, signatureId, by: byWhom(request, command) }]
    }
    case 'approve':
      return [{ type: 'approved', process, pointId: command.pointId, by: byWhom(request, command) }]
    case 'confirm':
      return [{ type: 'confirmed', process, pointId: command.pointId, by: byWhom(request, command) }]
    case 'reject':
      return [{ type: 'rejected', process, pointId: command.pointId, by: byWhom(request, command) }]
    case 'propose':
      return [{ type: 'proposed', process, pointId: command.pointId, by: byWhom(request, command) }]
    case 'decline-proposal':
      return [{ type: 'proposal-declined', process, pointId: command.pointId, by: command.by.id }]
    case 'withdraw':
      return [{ type: 'withdrawn', by: command.by.id }]
    case 'correct':
      return [{ type: 'corrected', by: command.by.id }]
    case 'reroute': {
      const ahead = placedAhead(request.points, command.ahead.map(inQueue))
      const rerouted: RequestEvent = { type: 'rerouted', by: command.by.id, ahead }
      const isOther = changesSides(request.points, apply(request, rerouted).points)
      return isOther ? [rerouted, { type: 'sides-changed' }] : [rerouted]
    }
    case 'terminate':
      return [{ type: 'termination-begun', by: byWhichSide(request, command.by) }]
    case 'accept-signature':
      return judged(request, command.signatureId, 'signature-accepted')
    case 'refuse-signature':
      return judged(request, command.signatureId, 'signature-refused')
    case 'settle':
      return []
    case 'expire':
      return [{ type: 'expired' }]
    case 'tell-deadlines':
      return deadlineEvents(request, command.today)
    case 'finish-termination':
      return [{ type: 'terminated' }]
  }
}

/** Only for points whose people are asked now: a signature that is being checked may have met the deadline. */
function deadlineEvents(request: SigningRequest, today: string): RequestEvent[] {
  const events = { reminded: 'due-soon', overdue: 'overdue' } as const
  return request.points.flatMap(({ pointId, status, deadline, escalation }): RequestEvent[] => {
    const isAsked = askedPointStatuses.includes(status)
    const news = isAsked && deadline ? newsOf(deadline, today) : null
    if (!news) return []
    const told: RequestEvent = { type: events[news], process: 'signing', pointId }
    const isEscalated = news === 'overdue' && escalation && escalation.people.length > 0
    if (!isEscalated) return [told]
    return [told, { type: 'escalated', process: 'signing', pointId, mayAct: escalation.mayAct }]
  })
}

/** The person for whom the act counts; the actor is recorded with the act. */
function byWhom(request: SigningRequest, { pointId, by }: PointCommand): string {
  const point = pointsOf(request).find((one) => one.pointId === pointId)
  return (point && partOf(point, by)) ?? by.id
}

function byWhichSide(request: SigningRequest, by: Actor): string {
  const parts = sidesThatSigned(request).map((point) =>
    partOf({ ...withoutEscalation(point), acted: [] }, by),
  )
  return parts.includes(by.id) ? by.id : (parts.find((id) => id !== null) ?? by.id)
}

/** Empty if no point waits for the check of this signature, so that a repeated result counts once. */
function judged(
  request: SigningRequest,
  signatureId: string,
  type: 'signature-accepted' | 'signature-refused',
): RequestEvent[] {
  const processes = [
    ['signing', request.points],
    ['terminating', request.termination?.points ?? []],
  ] as const
  return processes.flatMap(([process, points]) =>
    points.flatMap(({ pointId, pending, checking = [] }) =>
      [pending ?? [], checking]
        .flat()
        .filter((one) => one.signatureId === signatureId)
        .map(({ by }) => ({ type, process, pointId, signatureId, by })),
    ),
  )
}

function withConsequences(before: SigningRequest, first: readonly RequestEvent[]): RequestEvent[] {
  const events = [...first]
  let request = first.reduce(apply, before)
  for (let next = consequenceOf(request); next; next = consequenceOf(request)) {
    events.push(next)
    request = apply(request, next)
  }
  return events
}

/** The next automatic event: a turn comes, a point is done, or the process ends. */
function consequenceOf(request: SigningRequest): RequestEvent | null {
  if (!openStatuses.includes(request.status)) return null
  const process = processOf(request)
  const points = pointsOf(request)
  const turn = currentTurn(points)
  if (turn.length === 0) return { type: process === 'signing' ? 'completed' : 'termination-signed' }

  const settled = turn.find(isSettled)
  if (settled) {
    return { type: 'point-done', process, pointId: settled.pointId, status: doneStatus[actOf(settled.type)] }
  }
  const isNowSigned = process === 'signing' && request.status !== 'Signed' && nobodyIsLeftToSign(points)
  if (isNowSigned) return { type: 'all-signed' }
  const called = turn.find(({ status }) => status === 'InQueue')
  return called ? { type: 'turn-came', process, pointId: called.pointId } : null
}

const doneStatus: Record<PointAct, DoneStatus> = {
  sign: 'Signed',
  approve: 'Approved',
  confirm: 'Notified',
  inform: 'Notified',
}

/**
 * Whether enough people have answered. If people have left, the remaining ones are enough, because nobody else could
 * act. Signatures given before count too, but only once they have been checked.
 */
function isSettled(point: RequestPoint): boolean {
  const { type, status, condition, quorum, acted, participants, isAnsweredInPlace = false } = point
  if (status === 'InQueue' || status === 'Validation' || (point.checking ?? []).length > 0) return false
  if (actOf(type) === 'inform') return true
  const isEnough = condition === 'any' && acted.length >= (quorum ?? 1)
  return acted.length > 0 && (isEnough || isAnsweredInPlace || participants.every((id) => acted.includes(id)))
}

function nobodyIsLeftToSign(points: readonly RequestPoint[]): boolean {
  const signing = points.filter(({ type }) => isSigningType(type))
  return signing.length > 0 && signing.every(isDone)
}
