/** The request after one event. */
import type { Deadline, DeadlineNews } from '../deadlines/deadline.ts'
import { inPlaceOf } from '../deadlines/escalation.ts'
import { isAhead } from '../steps-ahead.ts'
import type { AtPoint, RequestEvent } from './events.ts'
import {
  pointsOf,
  sidesThatSigned,
  withoutEscalation,
  type RequestPoint,
  type SigningRequest,
} from './request.ts'

export function apply(request: SigningRequest, event: RequestEvent): SigningRequest {
  switch (event.type) {
    case 'started':
      return { ...request, status: 'InProgress' }
    case 'turn-came':
      return withPoint(request, event, () => ({ status: 'Waiting' }))
    case 'signature-taken': {
      const { signatureId, by } = event
      return withPoint(request, event, ({ isPersonal, checking = [] }) =>
        isPersonal
          ? { checking: [...checking, { signatureId, by }] }
          : { status: 'Validation', pending: { signatureId, by } },
      )
    }
    case 'signature-accepted':
      return withPoint(request, event, (point) => ({
        ...answered(point, event.by),
        ...judgedAt(point, event),
      }))
    case 'signature-refused':
      return withPoint(request, event, (point) => ({
        ...(!point.isPersonal && { status: 'ValidationError' }),
        ...judgedAt(point, event),
      }))
    case 'approved':
    case 'confirmed':
      return withPoint(request, event, (point) => answered(point, event.by))
    case 'point-done':
      return withPoint(request, event, () => ({ status: event.status, isProposed: false }))
    case 'proposed':
      return withPoint(request, event, () => ({ isProposed: true }))
    case 'proposal-declined':
      return withPoint(request, event, () => ({ isProposed: false }))
    case 'rejected': {
      const rejected = withPoint(request, event, () => ({ status: 'Rejected', isProposed: false }))
      return event.process === 'terminating'
        ? { ...rejected, status: request.termination!.from, termination: null }
        : { ...rejected, status: 'Rejected' }
    }
    case 'due-soon':
      return withPoint(request, event, ({ deadline }) => toldOf(deadline, 'reminded'))
    case 'overdue':
      return withPoint(request, event, ({ deadline }) => toldOf(deadline, 'overdue'))
    case 'escalated':
      return withPoint(request, event, ({ escalation, participants }) => ({
        told: escalation?.people ?? [],
        inPlace: inPlaceOf(escalation, participants),
      }))
    case 'registered':
    case 'passed-over':
    case 'opened':
    case 'delivered':
    case 'undelivered':
    case 'sides-changed':
      return request
    case 'rerouted':
      return { ...request, points: [...request.points.filter((point) => !isAhead(point)), ...event.ahead] }
    case 'all-signed':
      return { ...request, status: 'Signed' }
    case 'completed':
      return { ...request, status: 'Completed' }
    case 'withdrawn':
    case 'expired':
      return { ...request, status: 'Revoked' }
    case 'corrected':
      return {
        ...request,
        status: 'InProgress',
        revision: request.revision + 1,
        points: request.points.map(askedAgain),
      }
    case 'termination-begun':
      return { ...request, status: 'Terminating', termination: terminationOf(request) }
    case 'termination-signed':
      return { ...request, status: 'TerminatingSigned' }
    case 'terminated':
      return { ...request, status: 'Terminated' }
  }
}

function judgedAt(
  { isPersonal, checking = [] }: RequestPoint,
  { signatureId }: { signatureId: string },
): Pick<RequestPoint, 'pending' | 'checking'> {
  if (!isPersonal) return { pending: null }
  return { pending: null, checking: checking.filter((one) => one.signatureId !== signatureId) }
}

/**
 * Whether an answer counts for all participants is decided when it is given, because its author may join or leave the
 * group later.
 */
export function answered(
  { acted, inPlace = [] }: RequestPoint,
  by: string,
): Pick<RequestPoint, 'status' | 'acted' | 'isAnsweredInPlace'> {
  return { status: 'Waiting', acted: [...acted, by], isAnsweredInPlace: inPlace.includes(by) }
}

/** A point after a correction: acts on the bytes of the earlier document no longer count. */
function askedAgain(point: RequestPoint): RequestPoint {
  return {
    ...point,
    status: 'InQueue',
    acted: [],
    pending: null,
    deadline: null,
    inPlace: [],
    isProposed: false,
    wasReached: point.wasReached === true || point.status !== 'InQueue',
  }
}

function toldOf(deadline: Deadline | null | undefined, told: DeadlineNews): Partial<RequestPoint> {
  return deadline ? { deadline: { ...deadline, told } } : {}
}

/** Every side that signed must sign the terminating document, in the same order. */
function terminationOf(request: SigningRequest): SigningRequest['termination'] {
  const points = sidesThatSigned(request).map((point): RequestPoint => ({
    ...withoutEscalation(point),
    deadline: null,
    status: 'InQueue',
    acted: [],
    pending: null,
  }))
  return { from: request.status === 'Signed' ? 'Signed' : 'Completed', points }
}

function withPoint(
  request: SigningRequest,
  { process, pointId }: AtPoint,
  change: (point: RequestPoint) => Partial<RequestPoint>,
): SigningRequest {
  const changed = (points: readonly RequestPoint[]) =>
    points.map((point) => (point.pointId === pointId ? { ...point, ...change(point) } : point))
  const { termination } = request
  return withStatusOfChecks(
    process === 'signing'
      ? { ...request, points: changed(request.points) }
      : { ...request, termination: termination && { ...termination, points: changed(termination.points) } },
  )
}

/** A request has a validation error exactly as long as one of its points does. */
function withStatusOfChecks(request: SigningRequest): SigningRequest {
  const failed = pointsOf(request).some(({ status }) => status === 'ValidationError')
  switch (request.status) {
    case 'InProgress':
    case 'ValidationFail':
      return { ...request, status: failed ? 'ValidationFail' : 'InProgress' }
    case 'Terminating':
    case 'TerminatingValidationFail':
      return { ...request, status: failed ? 'TerminatingValidationFail' : 'Terminating' }
    case 'New':
    case 'Signed':
    case 'Completed':
    case 'Rejected':
    case 'Revoked':
    case 'TerminatingSigned':
    case 'Terminated':
      return request
  }
}
