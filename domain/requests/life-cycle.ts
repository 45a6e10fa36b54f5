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
 * Points of one order act in parallel. A point waits in the queue until every point of the orders before it is done; then
 * its people act, or, if they are only informed, it is done at once.
 *
 * When the deadline of a point passes, those named in its route are told; if the route says so, one of them may answer for
 * the whole point.
 *
 * At a point that asks everybody for themselves (a campaign), signatures are checked at the same time: each concerns its signer alone,
 * so the point goes on waiting, and neither a check nor an open signing dialog holds up anybody else.
 *
 * A request that has a last day and is not signed by then expires: it is withdrawn by the system.
 *
 * Until everybody has signed, the author may replace the document. That begins a new revision: every act over the bytes before
 * is over, and the first turn comes again. They may also change the steps ahead, where nobody is asked yet: what was done stays.
 *
 * Until then the other side may also return the document with a proposed file instead of rejecting it: the request goes on, and the
 * author takes the proposal, which is a correction, or declines it.
 *
 * whyNot  the reason why a command is refused now, or null
 * decide  turns a permitted command into events
 * apply   returns the request after one event
 */
import { newsOf, type Deadline, type DeadlineNews } from './deadlines/deadline.ts'
import { inPlaceOf, type Escalation } from './deadlines/escalation.ts'
import { dateInAlmaty } from '../calendar.ts'
import { refuse, type Alias } from '../errors.ts'
import type { AgreementCondition } from '../points/point.ts'
import { actOf, isSigningType, sideOf, type PointAct, type PointType } from '../points/point-types.ts'
import type { Condition } from '../routes/condition.ts'
import { isAnotherNamed, isAskedAt, mayActAt, partOf, type Actor, type AskedAt } from './actors.ts'
import { isHeld, type Lock } from './lock.ts'
import type { Receipt, ReceiptType } from './receipts/receipt.ts'
import {
  correctableStatuses,
  openStatuses,
  requestStatuses,
  signingStatuses,
  terminatingStatuses,
  withdrawableStatuses,
  type PointStatus,
  type ProcessKind,
  type RequestStatus,
  type RequestStatuses,
} from './status.ts'
import { changesSides, isAhead, placedAhead, whyNotAhead } from './steps-ahead.ts'

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
  /** Those who have acted. */
  acted: readonly string[]
  /** Those who have acted for an absent colleague. */
  stoodIn?: readonly string[]
  /** Its people have had the document before, in an earlier revision. */
  wasReached?: boolean
  /** Set when its turn came, if it has a term. */
  deadline?: Deadline | null
  /** Who is told when the deadline passes. */
  escalation?: Escalation | null
  /** Those who were told so: they may read the document. */
  told?: readonly string[]
  /** Somebody has answered for all participants just now: the point is done with that, so it is never stored. */
  isAnsweredInPlace?: boolean
  /** Its people have proposed another file, and the author has not answered. */
  isProposed?: boolean
  /** A received signature that is being checked. */
  pending: CheckedSignature | null
  /** At a personal point instead: all that are being checked, one of each person at most. */
  checking?: readonly CheckedSignature[]
}

export type CheckedSignature = { signatureId: string; by: string }

/** A point at which nobody has been asked. */
export type NewPoint = Omit<RequestPoint, 'status' | 'acted' | 'pending' | 'checking'>

export type SigningRequest = {
  authorId: string
  status: RequestStatus
  /** Which document it is about: 1 is what was sent, every correction counts one more. */
  revision: number
  /** The last day on which it can be signed. */
  expiresOn?: string | null
  /** Its sender has no account, so nobody could take a proposal. */
  isFromLanding?: boolean
  points: readonly RequestPoint[]
  /** The current or last termination; a rejection returns the request to the status `from`. */
  termination: { from: 'Signed' | 'Completed'; points: readonly RequestPoint[] } | null
  /** Who has the signing dialog open; `isWorn` if it was held so long that the author may withdraw anyway. */
  lock: (Lock & { isWorn: boolean }) | null
}

/** `over` is the revision that the person has seen. */
export type PointCommand =
  | { type: 'sign'; pointId: string; by: Actor; signatureId: string; over?: number | undefined }
  | {
      type: 'approve' | 'confirm' | 'reject' | 'propose'
      pointId: string
      by: Actor
      over?: number | undefined
    }
export type PersonCommand =
  | PointCommand
  | { type: 'withdraw' | 'terminate' | 'correct'; by: Actor }
  | { type: 'decline-proposal'; pointId: string; by: Actor }
  /** `ahead` takes the place of all steps where nobody is asked yet. */
  | { type: 'reroute'; by: Actor; ahead: readonly NewPoint[] }

export type SystemCommand =
  /** Points that were passed over are not of the request; they are only recorded. */
  | { type: 'start'; passedOver?: readonly PassedPoint[] }
  | { type: 'accept-signature' | 'refuse-signature'; signatureId: string }
  /** The participants have changed: points that waited only for people who left are done. */
  | { type: 'settle' }
  | { type: 'finish-termination' }
  /** `today` is the day in Almaty. */
  | { type: 'tell-deadlines' | 'expire'; today: string }

export type Command = PersonCommand | SystemCommand

type AtPoint = { process: ProcessKind; pointId: string }
/** A point of the route whose condition was not met when the document was sent. */
export type PassedPoint = { pointId: string; name: string; order: number; condition: Condition }
export type DoneStatus = 'Signed' | 'Approved' | 'Notified'

export type RequestEvent =
  | { type: 'started' | 'all-signed' | 'completed' | 'termination-signed' | 'terminated' }
  /** Nobody withdrew it: its last day is over. */
  | { type: 'expired' }
  | ({ type: 'due-soon' | 'overdue' } & AtPoint)
  /** `mayAct` if others than before may answer at the point from now on. */
  | ({ type: 'escalated'; mayAct: boolean } & AtPoint)
  | { type: 'withdrawn' | 'termination-begun'; by: string }
  /** The document was replaced. */
  | { type: 'corrected'; by: string }
  /** The steps ahead were changed: `ahead` are those that there are now. */
  | { type: 'rerouted'; by: string; ahead: readonly RequestPoint[] }
  /** Others sign than was told before: it changes nothing else. */
  | { type: 'sides-changed' }
  /** Somebody who is asked has opened the document: it changes nothing. */
  | ({ type: 'opened' } & AtPoint & { by: string })
  /** Whether the news of a turn reached those who are asked: it changes nothing. */
  | ({ type: ReceiptType; receipt: Receipt } & AtPoint)
  /** The sender gave it a number: it changes nothing else. */
  | { type: 'registered'; by: string }
  /** It changes nothing: nobody is asked there. */
  | { type: 'passed-over'; pointId: string; process: 'signing'; point: PassedPoint }
  | ({ type: 'turn-came' } & AtPoint)
  | ({ type: 'signature-taken' | 'signature-accepted' | 'signature-refused' } & AtPoint & {
        signatureId: string
        by: string
      })
  | ({ type: 'approved' | 'confirmed' | 'rejected' } & AtPoint & { by: string })
  /** The other side proposed a file; the author declined it. Taking it is a correction. */
  | ({ type: 'proposed' | 'proposal-declined' } & AtPoint & { by: string })
  | ({ type: 'point-done' } & AtPoint & { status: DoneStatus })

/** Events without notifications. */
const quiet: readonly RequestEvent['type'][] = [
  'signature-taken',
  'signature-refused',
  'all-signed',
  'termination-signed',
  'registered',
  'passed-over',
  'opened',
  'delivered',
  'undelivered',
  'rerouted',
  'sides-changed',
]

export function isNews(type: RequestEvent['type']): boolean {
  return !quiet.includes(type)
}

/** A slow check may finish after the request did; its result is recorded anyway. */
const judgedIn: RequestStatuses = requestStatuses.names.filter((status) => status !== 'New')

const allowedIn: Record<Command['type'], RequestStatuses> = {
  start: ['New'],
  sign: openStatuses,
  approve: signingStatuses,
  confirm: signingStatuses,
  // A fully signed document cannot be rejected, only terminated.
  reject: ['InProgress', 'ValidationFail', ...terminatingStatuses],
  withdraw: withdrawableStatuses,
  correct: correctableStatuses,
  reroute: correctableStatuses,
  propose: correctableStatuses,
  'decline-proposal': correctableStatuses,
  expire: withdrawableStatuses,
  'tell-deadlines': signingStatuses,
  terminate: ['Signed', 'Completed'],
  settle: openStatuses,
  'finish-termination': ['TerminatingSigned'],
  'accept-signature': judgedIn,
  'refuse-signature': judgedIn,
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

function inQueue(point: NewPoint): RequestPoint {
  return { ...point, status: 'InQueue', acted: [], pending: null }
}

export function whyNot(request: SigningRequest, command: Command, now: Date): Alias | null {
  if (!allowedIn[command.type].includes(request.status)) {
    return command.type === 'start' ? 'request-already-in-process' : 'wrong-request-status'
  }
  switch (command.type) {
    case 'sign':
    case 'approve':
    case 'confirm':
    case 'reject':
    case 'propose':
      // The chore that ends it may be late.
      if (withdrawableStatuses.includes(request.status) && isExpired(request, now))
        return 'wrong-request-status'
      return whyNotAtPoint(request, command, now)
    case 'expire':
      if (!isExpired(request, command.today)) return 'wrong-request-status'
      return isHeldByCheck(request) ? 'signature-being-checked' : null
    case 'withdraw':
    case 'correct':
    case 'reroute':
      if (command.by.id !== request.authorId) return 'not-enough-permissions'
      if (command.type !== 'withdraw' && isExpired(request, now)) return 'wrong-request-status'
      if (isHeldByCheck(request)) return 'signature-being-checked'
      // What is signed there is the document as it is: no other takes its place before that is known.
      if (command.type !== 'withdraw' && hasPersonalChecks(request)) return 'signature-being-checked'
      if (isLockedByAnother(request, command.by, now) && !request.lock?.isWorn)
        return 'document-is-on-signing-process'
      return command.type === 'reroute' ? whyNotAhead(request.points, command.ahead) : null
    case 'decline-proposal': {
      if (command.by.id !== request.authorId) return 'not-enough-permissions'
      const point = request.points.find(({ pointId }) => pointId === command.pointId)
      return point?.isProposed ? null : 'proposal-not-found'
    }
    case 'terminate':
      return sidesThatSigned(request).some((point) => mayActAt(withoutEscalation(point), command.by))
        ? null
        : 'not-enough-permissions'
    case 'start':
    case 'settle':
    case 'tell-deadlines':
    case 'finish-termination':
    case 'accept-signature':
    case 'refuse-signature':
      return null
  }
}

/** Somebody has signed: whether that counts is known before anything else happens. */
function isHeldByCheck(request: SigningRequest): boolean {
  return pointsOf(request).some(({ pending }) => pending !== null)
}

function hasPersonalChecks(request: SigningRequest): boolean {
  return pointsOf(request).some(({ checking = [] }) => checking.length > 0)
}

export function isExpired({ expiresOn }: Pick<SigningRequest, 'expiresOn'>, at: string | Date): boolean {
  // Most requests have no last day: finding today's for them would take longer than all other rules.
  if (expiresOn === undefined || expiresOn === null) return false
  return (at instanceof Date ? dateInAlmaty(at) : at) > expiresOn
}

function whyNotAtPoint(request: SigningRequest, command: PointCommand, now: Date): Alias | null {
  const point = pointsOf(request).find(({ pointId }) => pointId === command.pointId)
  if (!point) return 'point-not-found'
  if (command.over !== undefined && command.over !== request.revision) return 'document-revised'
  if (!isAskedAt(point, command.by)) return 'not-enough-permissions'
  if (!mayActAt(point, command.by)) return 'key-not-taken'
  const wrongAct = whyNotThisAct(point, command.type)
  if (wrongAct) return wrongAct
  if (command.type === 'propose' && request.isFromLanding) return 'wrong-request-configuration'
  if (isDone(point) || partOf(point, command.by) === null) return 'point-already-processed'
  if (point.status === 'InQueue') return 'process-wrong-order'
  if (point.status === 'Validation' || isOwnBeingChecked(point, command.by)) return 'signature-being-checked'
  if (command.type === 'propose' && point.isProposed) return 'proposal-open'
  if (command.type === 'sign' && isAnotherNamed(point, command.by)) return 'key-not-taken'
  const isLocked = command.type === 'sign' && !point.isPersonal && isLockedByAnother(request, command.by, now)
  return isLocked ? 'document-is-on-signing-process' : null
}

function isOwnBeingChecked({ checking = [] }: RequestPoint, { id }: Actor): boolean {
  return checking.some(({ by }) => by === id)
}

/** The acts of each type of point; an approval with a digital signature is given by signing. */
const actsAt: Record<PointAct, readonly PointCommand['type'][]> = {
  sign: ['sign', 'reject', 'propose'],
  approve: ['approve', 'reject'],
  confirm: ['confirm'],
  inform: [],
}

function whyNotThisAct(point: RequestPoint, act: PointCommand['type']): Alias | null {
  // Own people correct the document themselves, or say why not.
  if (act === 'propose' && sideOf(point.type) === 'internal') return 'wrong-request-configuration'
  if (isAnsweredBySigning(point) && act !== 'reject') {
    return act === 'sign' ? null : 'signature-needed'
  }
  return actsAt[actOf(point.type)].includes(act) ? null : 'wrong-request-configuration'
}

/** An approval or an acknowledgement that is given with a digital signature. */
export function isAnsweredBySigning({
  type,
  isEdsRequired,
  isPersonal,
}: Pick<RequestPoint, 'type' | 'isEdsRequired' | 'isPersonal'>): boolean {
  return isEdsRequired && (actOf(type) === 'approve' || (actOf(type) === 'confirm' && isPersonal === true))
}

/** Whoever may correct may also change the steps ahead. */
export type PersonAct = { act: Exclude<PersonCommand['type'], 'reroute'>; pointId: string | null }

/** What this person may do now. */
export function actsOf(request: SigningRequest, by: Actor, now: Date): PersonAct[] {
  const atPoints = pointsOf(request).flatMap(({ pointId }): PersonAct[] =>
    (['sign', 'approve', 'confirm', 'reject', 'propose'] as const)
      .filter((act) => whyNot(request, { type: act, pointId, by, signatureId: '' }, now) === null)
      .map((act) => ({ act, pointId })),
  )
  const whole = (['withdraw', 'terminate', 'correct'] as const)
    .filter((act) => whyNot(request, { type: act, by }, now) === null)
    .map((act) => ({ act, pointId: null }))
  const declining = request.points.flatMap(({ pointId }): PersonAct[] =>
    whyNot(request, { type: 'decline-proposal', pointId, by }, now) === null
      ? [{ act: 'decline-proposal', pointId }]
      : [],
  )
  return [...atPoints, ...whole, ...declining]
}

/** Only a person who may sign now can lock the document, unless another holds it. */
export function whyNotLock(request: SigningRequest, by: Actor, now: Date): Alias | null {
  if (isLockedByAnother(request, by, now)) return 'document-is-on-signing-process'
  const maySign = actsOf(request, by, now).some(({ act }) => act === 'sign')
  return maySign ? null : 'not-enough-permissions'
}

/** Where everybody signs for themselves, an open dialog holds nobody. */
export function needsLock(request: SigningRequest, by: Actor, now: Date): boolean {
  const signable = actsOf(request, by, now).flatMap(({ act, pointId }) => (act === 'sign' ? [pointId] : []))
  return pointsOf(request).some(({ pointId, isPersonal }) => signable.includes(pointId) && !isPersonal)
}

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

/** Of points whose people are asked now; a signature that is being checked may have met the deadline. */
function deadlineEvents(request: SigningRequest, today: string): RequestEvent[] {
  const events = { reminded: 'due-soon', overdue: 'overdue' } as const
  return request.points.flatMap(({ pointId, status, deadline, escalation }): RequestEvent[] => {
    const isAsked = status === 'Waiting' || status === 'ValidationError'
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

/** Empty if no point waits for this signature, so a repeated result counts once. */
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

/** Whether an answer was in place of all is decided when it is given: who answered as a participant may change groups later. */
function answered(
  { acted, inPlace = [] }: RequestPoint,
  by: string,
): Pick<RequestPoint, 'status' | 'acted' | 'isAnsweredInPlace'> {
  return { status: 'Waiting', acted: [...acted, by], isAnsweredInPlace: inPlace.includes(by) }
}

/** Nothing that was done over other bytes counts. */
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

/** Whoever answered in place of the participants did so once; what comes later is theirs again. */
function withoutEscalation(point: RequestPoint): RequestPoint {
  return { ...point, escalation: null, inPlace: [] }
}

/** The points whose turn it is or comes next: those of the lowest order that is not done. */
export function currentTurn(points: readonly RequestPoint[]): RequestPoint[] {
  const left = points.filter((point) => !isDone(point))
  const order = Math.min(...left.map((point) => point.order))
  return left.filter((point) => point.order === order)
}

export function isDone({ status }: Pick<RequestPoint, 'status'>): boolean {
  return status === 'Signed' || status === 'Approved' || status === 'Notified'
}

/** The current or last process. */
export function processOf({ status }: Pick<SigningRequest, 'status'>): ProcessKind {
  return status.startsWith('Terminat') ? 'terminating' : 'signing'
}

export function pointsOf(request: SigningRequest): readonly RequestPoint[] {
  return processOf(request) === 'terminating' ? (request.termination?.points ?? []) : request.points
}

export function sidesThatSigned({ points }: Pick<SigningRequest, 'points'>): RequestPoint[] {
  return points.filter(({ status }) => status === 'Signed')
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

/** Where people have left, those who remain are enough: nobody else could act. Who signed before counts too, once that is checked. */
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

function isLockedByAnother({ lock }: SigningRequest, by: Actor, now: Date): boolean {
  return lock !== null && lock.by !== by.id && isHeld(lock, now)
}
