/** A signing request as the rules of its life cycle see it. */
import { dateInAlmaty } from '../../calendar.ts'
import { actOf, type PointType } from '../../points/point-types.ts'
import type { AgreementCondition } from '../../points/point.ts'
import type { AskedAt } from '../actors.ts'
import type { Deadline } from '../deadlines/deadline.ts'
import type { Escalation } from '../deadlines/escalation.ts'
import type { Lock } from '../lock.ts'
import {
  donePointStatuses,
  terminationStatuses,
  type PointStatus,
  type ProcessKind,
  type RequestStatus,
} from '../status.ts'

export type RequestPoint = AskedAt & {
  /** The same in the signing process and in a termination. */
  pointId: string
  type: PointType
  /** Lower orders first; equal ones in parallel. */
  order: number
  condition: AgreementCondition
  /** How many must act, if neither one nor all. */
  quorum?: number | null
  /** An approval, or an answer at a personal point, that must be given with a digital signature. */
  isEdsRequired: boolean
  status: PointStatus
  /** The people who have acted. */
  acted: readonly string[]
  /** The people who have acted for an absent colleague. */
  stoodIn?: readonly string[]
  /** The people of the point have already had an earlier revision of the document. */
  wasReached?: boolean
  /** Set when the turn of the point comes, if it has a term. */
  deadline?: Deadline | null
  /** Who is told when the deadline passes. */
  escalation?: Escalation | null
  /** The people who were told that the deadline passed; they may read the document. */
  told?: readonly string[]
  /** Somebody has just answered for all participants. Never stored, because the point becomes done at once. */
  isAnsweredInPlace?: boolean
  /** The people of the point have proposed another file, and the author has not answered. */
  isProposed?: boolean
  /** A received signature that is being checked. */
  pending: CheckedSignature | null
  /** At a personal point, instead of `pending`: all signatures being checked, at most one of each person. */
  checking?: readonly CheckedSignature[]
}

export type CheckedSignature = { signatureId: string; by: string }

/** A point at which nobody has been asked. */
export type NewPoint = Omit<RequestPoint, 'status' | 'acted' | 'pending' | 'checking'>

export type SigningRequest = {
  authorId: string
  status: RequestStatus
  /** The current revision of the document: 1 is the document that was sent, and every correction adds 1. */
  revision: number
  /** The last day on which it can be signed. */
  expiresOn?: string | null
  /** The sender has no account, so nobody could take a proposal. */
  isFromLanding?: boolean
  points: readonly RequestPoint[]
  /** The current or last termination; a rejection returns the request to the status `from`. */
  termination: { from: 'Signed' | 'Completed'; points: readonly RequestPoint[] } | null
  /** Who has the signing dialog open; `isWorn` if it was held so long that the author may withdraw anyway. */
  lock: (Lock & { isWorn: boolean }) | null
}

/** A new request with the points of its route. */
export function newRequest(authorId: string, points: readonly NewPoint[]): SigningRequest {
  return {
    authorId,
    status: 'New',
    revision: 1,
    points: points.map(inQueue),
    termination: null,
    lock: null,
  }
}

export function inQueue(point: NewPoint): RequestPoint {
  return { ...point, status: 'InQueue', acted: [], pending: null }
}

/** The points whose turn it is or comes next: the unfinished points of the lowest order. */
export function currentTurn(points: readonly RequestPoint[]): RequestPoint[] {
  const left = points.filter((point) => !isDone(point))
  const order = Math.min(...left.map((point) => point.order))
  return left.filter((point) => point.order === order)
}

export function isDone({ status }: Pick<RequestPoint, 'status'>): boolean {
  return donePointStatuses.some((done) => done === status)
}

/** The current or last process. */
export function processOf({ status }: Pick<SigningRequest, 'status'>): ProcessKind {
  return terminationStatuses.includes(status) ? 'terminating' : 'signing'
}

export function pointsOf(request: SigningRequest): readonly RequestPoint[] {
  return processOf(request) === 'terminating' ? (request.termination?.points ?? []) : request.points
}

export function sidesThatSigned({ points }: Pick<SigningRequest, 'points'>): RequestPoint[] {
  return points.filter(({ status }) => status === 'Signed')
}

/**
 * Removes the right to answer in place of the participants: it does not apply to later answers, as in a termination.
 */
export function withoutEscalation(point: RequestPoint): RequestPoint {
  return { ...point, escalation: null, inPlace: [] }
}

export function isExpired({ expiresOn }: Pick<SigningRequest, 'expiresOn'>, at: string | Date): boolean {
  // Most requests have no last day, and computing today's date would take longer than all other rules.
  if (expiresOn === undefined || expiresOn === null) return false
  return (at instanceof Date ? dateInAlmaty(at) : at) > expiresOn
}

/** An approval or an acknowledgement that is given with a digital signature. */
export function isAnsweredBySigning({
  type,
  isEdsRequired,
  isPersonal,
}: Pick<RequestPoint, 'type' | 'isEdsRequired' | 'isPersonal'>): boolean {
  return isEdsRequired && (actOf(type) === 'approve' || (actOf(type) === 'confirm' && isPersonal === true))
}
