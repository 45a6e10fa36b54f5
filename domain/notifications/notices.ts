/**
 * Who is notified of the events of a request, and with which kind of notice (docs/product/notifications.md#k-01).
 *
 *   started            internal participants of later turns  request-for-me
 *   turn-came          current participants                  request-for-me if it is their first notice, else turn-came
 *   signature-accepted the author, those who acted           signed
 *   signature-refused  its signer and the author, if later   signature-refused
 *   approved, confirmed with a comment: the same             comment
 *   the same at the point of a campaign, with a comment      comment, to the author
 *   point-done         those who were asked and did not act  decided
 *   rejected           the author, those who acted or were asked  rejected
 *   withdrawn, expired the same                              revoked
 *   corrected          those who had the document            corrected
 *   proposed           the author                            proposed
 *   proposal-declined  those who are asked at the point      comment
 *   due-soon           those who are asked                   reminder
 *   overdue            the same, and the author              overdue
 *   escalated          those whom the route names for it     escalated
 *   completed          the author, those who acted           completed
 *   termination-begun  the same, and current participants    terminating
 *   terminated         the author, those who acted           terminated
 *
 * Notices of comments on the document are in comment-notices.ts.
 *
 * An act may cause several events: everybody but the actor gets one notice, about the most important event.
 */
import type { NotificationKind } from '../options/options.ts'
import { actOf, sideOf, type PointAct, type PointType } from '../points/point-types.ts'
import type { RequestEvent } from '../requests/life-cycle/events.ts'
import { isDone, processOf } from '../requests/life-cycle/request.ts'
import {
  awaitedPoints,
  hasCome,
  isAwaited,
  maySee,
  seesPoint,
  type RequestVisibility,
  type Viewer,
} from '../requests/life-cycle/permissions.ts'
import { openStatuses, type PointStatus, type ProcessKind, type RequestStatus } from '../requests/status.ts'

/** A person with an account, in the organisation for which they are notified. */
export type Person = {
  userId: string
  organizationId: string
  isOwner: boolean
  /** Null without a confirmed address. */
  email: string | null
  /** Absent colleagues for whom this person acts. */
  standsInFor?: readonly string[]
}

export type NotifiedPoint = {
  pointId: string
  type: PointType
  status: PointStatus
  /** The people of the point have already had an earlier revision of the document. */
  wasReached?: boolean
  /** The organisation they act for; null if it is unknown here. */
  organizationId: string | null
  /** The participants, and those of them who get e-mails first. */
  people: readonly Person[]
  responsible: readonly string[]
  /** Substitutes of absent participants. */
  substitutes: readonly Person[]
  /** The number of an external point, and the addresses that the sender gave for it. */
  bin: string | null
  emails: readonly string[]
  acted: readonly string[]
  /** The people who are told when the deadline passes; `isTold`: it has passed and they were told. */
  escalation?: { people: readonly Person[]; mayAct: boolean; isTold: boolean } | null
}

/** The current state of the request, without people who have left. */
export type NotifiedRequest = {
  organizationId: string
  authorId: string
  status: RequestStatus
  author: Person | null
  points: readonly NotifiedPoint[]
  /** The points of the last termination. */
  terminating: readonly NotifiedPoint[]
}

export type NotifiedEvent = {
  number: number
  type: RequestEvent['type']
  process: ProcessKind
  pointId: string | null
  hasComment: boolean
  /** The event is at the point of a campaign, where everybody answers for themselves. */
  isPersonal?: boolean
  /** The signer who no longer waited when their signature was judged; signers who wait see the result at once. */
  lateSignerId?: string | null
}

/** The events of one act, in order. */
export type NotifiedAct = { actorId: string | null; events: readonly NotifiedEvent[] }

/** A person with an account, or an address. */
export type Recipient =
  | { userId: string; organizationId: string; email: string | null }
  | { userId: null; organizationId: null; email: string; number: string | null }

export type Notice = {
  kind: NotificationKind
  /** The number of the event. */
  number: number
  to: Recipient
  /** What the reader is asked to do; null if nothing. */
  asks: PointAct | null
  process: ProcessKind
  pointId: string | null
  /** Hides the actor and comment, because they are internal to another organisation. */
  isDiscreet: boolean
  /** False if only the responsible people of the group get an e-mail. */
  isByEmail: boolean
}

type AllowedRecipient = Pick<Notice, 'to' | 'isByEmail'> & { viewer: Viewer | null }

/** In order of importance: a request to act is more important than news. */
const weight: readonly NotificationKind[] = [
  'terminated',
  'completed',
  'revoked',
  'rejected',
  'proposed',
  'terminating',
  'corrected',
  'turn-came',
  'signature-refused',
  'request-for-me',
  'reminder',
  'escalated',
  'overdue',
  'signed',
  'comment',
  'decided',
]

export function noticesOf(request: NotifiedRequest, act: NotifiedAct): Notice[] {
  const all = act.events.flatMap((event) => noticesOfEvent(request, act, event))
  const sorted = all.toSorted((one, other) => rankOf(one) - rankOf(other))
  const chosen = new Map<string, Notice>()
  const addresses = new Set(emailsOf(request, act.actorId))
  // Accounts first, so that an address of the same person gets no second notice.
  for (const notice of sorted.toSorted((one, other) => Number(!one.to.userId) - Number(!other.to.userId))) {
    const { userId, email } = notice.to
    if (userId === act.actorId && userId !== null) continue
    const key = recipientKey(notice.to)
    if (chosen.has(key) || (userId === null && addresses.has(email))) continue
    chosen.set(key, notice)
    if (email !== null) addresses.add(email)
  }
  return [...chosen.values()]
}

function emailsOf({ author, points }: NotifiedRequest, userId: string | null): string[] {
  const people = [...(author ? [author] : []), ...points.flatMap((point) => point.people)]
  return people.flatMap((person) => (person.userId === userId && person.email !== null ? [person.email] : []))
}

/** Identifies a recipient, who gets one notice of an event. */
export function recipientKey({ userId, email }: Recipient): string {
  return userId ?? `mailto:${email}`
}

/** Reminders for everybody who may act now and has not. */
export function remindersOf(request: NotifiedRequest): Notice[] {
  const process = processOf(request)
  const points = process === 'signing' ? request.points : request.terminating
  const chosen = new Map<string, Notice>()
  for (const point of points.filter((one) => isAsked(request, one))) {
    for (const { to, isByEmail } of allowedRecipients(request, askedAt(point))) {
      const about = { asks: actOf(point.type), process, pointId: point.pointId } as const
      const notice = { kind: 'reminder', number: 0, to, ...about, isDiscreet: false, isByEmail } as const
      if (!chosen.get(recipientKey(to))?.isByEmail) chosen.set(recipientKey(to), notice)
    }
  }
  const people = [...chosen.values()].filter(({ to }) => to.userId !== null)
  const known = new Set(people.map(({ to }) => to.email))
  return [...chosen.values()].filter(({ to }) => to.userId !== null || !known.has(to.email))
}

function rankOf({ kind, asks, isByEmail }: Notice): number {
  return weight.indexOf(kind) * 4 + (asks === null ? 2 : 0) + (isByEmail ? 0 : 1)
}

function noticesOfEvent(request: NotifiedRequest, act: NotifiedAct, event: NotifiedEvent): Notice[] {
  const kind = kindOf(event, act, request)
  if (kind === null) return []
  const point = pointOf(request, event)
  return allowedRecipients(request, readersOf(request, event, kind)).flatMap(({ to, isByEmail, viewer }) => {
    const sees = point === undefined || viewer === null || maySeePoint(request, point, viewer)
    // Internal approvals of another side are hidden, but not that they ended the request.
    if (!sees && (kind === 'signed' || kind === 'comment')) return []
    const mayAnswer = event.type === 'escalated' && point?.escalation?.mayAct === true
    const isSigner =
      event.type === 'signature-refused' && (to.userId === null || to.userId === event.lateSignerId)
    const isAsking = event.type === 'turn-came' || event.type === 'due-soon' || mayAnswer || isSigner
    const asks = isAsking && point ? actOf(point.type) : null
    const { number, process, pointId } = event
    return [{ kind, number, to, asks, process, pointId, isByEmail, isDiscreet: !sees }]
  })
}

/** Whether an act never causes notices, whoever takes part; true for most confirmations of a campaign. */
export function tellsNobody(act: NotifiedAct): boolean {
  return act.events.every((event) => kindOf(event, act, { points: [], terminating: [] }) === null)
}

function kindOf(
  event: NotifiedEvent,
  { events }: NotifiedAct,
  request: Pick<NotifiedRequest, 'points' | 'terminating'>,
): NotificationKind | null {
  const isWithin = (type: NotifiedEvent['type']) => events.some((one) => one.type === type)
  switch (event.type) {
    case 'started':
      return 'request-for-me'
    case 'turn-came': {
      if (event.process === 'terminating') return isWithin('termination-begun') ? 'terminating' : 'turn-came'
      const point = pointOf(request, event)
      if (isWithin('corrected') && point?.wasReached) return 'corrected'
      const isNews =
        !point || isWithin('started') || sideOf(point.type) !== 'internal' || actOf(point.type) === 'inform'
      return isNews ? 'request-for-me' : 'turn-came'
    }
    case 'signature-accepted':
      if (!event.isPersonal) return 'signed'
      return event.hasComment ? 'comment' : null
    case 'approved':
    case 'confirmed':
      return event.hasComment ? 'comment' : null
    case 'proposed':
      return 'proposed'
    case 'proposal-declined':
      return 'comment'
    case 'point-done':
      return 'decided'
    case 'rejected':
      return 'rejected'
    case 'withdrawn':
    case 'expired':
      return 'revoked'
    case 'corrected':
      return 'corrected'
    case 'due-soon':
      return 'reminder'
    case 'overdue':
    case 'escalated':
      return event.type
    case 'completed':
      return 'completed'
    case 'termination-begun':
      return 'terminating'
    case 'terminated':
      return 'terminated'
    case 'signature-refused':
      return event.lateSignerId ? 'signature-refused' : null
    case 'signature-taken':
    case 'all-signed':
    case 'termination-signed':
    case 'registered':
    case 'passed-over':
    case 'opened':
    case 'delivered':
    case 'undelivered':
    case 'rerouted':
    case 'sides-changed':
      return null
  }
}

export type Reader = { person: Person; isByEmail: boolean } | { email: string; point: NotifiedPoint }

function readersOf(request: NotifiedRequest, event: NotifiedEvent, kind: NotificationKind): Reader[] {
  const { points } = request
  if (event.type === 'started') {
    if (!openStatuses.includes(request.status)) return []
    return points.filter((point) => isAskedLater(point)).flatMap((point) => askedAt(point))
  }
  if (event.type === 'turn-came') {
    const point = pointOf(request, event)
    // Not if the turn has already passed.
    const isStill = point !== undefined && (actOf(point.type) === 'inform' || isAsked(request, point))
    return isStill ? askedAt(point) : []
  }
  if (event.type === 'due-soon' || event.type === 'overdue') {
    const point = pointOf(request, event)
    const asked = point !== undefined && isAsked(request, point) ? askedAt(point) : []
    const sender =
      request.author && event.type === 'overdue' ? [{ person: request.author, isByEmail: true }] : []
    return [...asked, ...sender]
  }
  if (event.type === 'escalated') {
    const point = pointOf(request, event)
    const isLate = point !== undefined && isAsked(request, point)
    return isLate ? (point.escalation?.people ?? []).map((person) => ({ person, isByEmail: true })) : []
  }
  if (event.type === 'signature-refused') {
    const point = pointOf(request, event)
    if (point === undefined || !isAsked(request, point)) return []
    const author = request.author && !event.isPersonal ? [{ person: request.author, isByEmail: true }] : []
    return [...signerAt(point, event.lateSignerId), ...author]
  }
  if (event.type === 'corrected') {
    return points.filter((point) => hasCome(point)).flatMap((point) => askedAt(point))
  }
  if (event.type === 'proposed') return request.author ? [{ person: request.author, isByEmail: true }] : []
  if (event.type === 'proposal-declined') {
    const point = pointOf(request, event)
    return point && isAsked(request, point) ? askedAt(point) : []
  }
  if (event.type === 'point-done') {
    const point = pointOf(request, event)
    const isAct = point !== undefined && actOf(point.type) !== 'inform'
    return isAct ? askedAt(point).filter((reader) => 'person' in reader) : []
  }
  const author: Reader[] = request.author ? [{ person: request.author, isByEmail: true }] : []
  // Nobody but the author is told what a person of a campaign answered.
  if ((kind === 'comment' || kind === 'signed') && event.isPersonal) return author
  const acted = points.flatMap((point) => actedAt(point))
  const ended = event.process === 'terminating' ? request.terminating : points
  const isOver = kind === 'rejected' || kind === 'revoked'
  const awaited = isOver ? ended.filter(wasAsked).flatMap((point) => askedAt(point)) : []
  // The addresses of the point at which the event happened need no notice.
  return [...author, ...acted, ...awaited].filter(
    (reader) => !('email' in reader) || reader.point.pointId !== event.pointId,
  )
}

export function isAsked({ status }: NotifiedRequest, point: NotifiedPoint): boolean {
  return isAwaited(status, point)
}

function isAskedLater({ type, status }: NotifiedPoint): boolean {
  return status === 'InQueue' && sideOf(type) === 'internal' && actOf(type) !== 'inform'
}

/** Whether the people of the point were asked and have not finished it. */
function wasAsked(point: NotifiedPoint): boolean {
  return point.status !== 'InQueue' && !isDone(point)
}

export function askedAt(point: NotifiedPoint): Reader[] {
  const { people, responsible, acted, emails } = point
  const left = people.filter(({ userId }) => !acted.includes(userId))
  const first = left.filter(({ userId }) => responsible.includes(userId))
  const addressed = first.length > 0 ? first : left
  const standsIn = (person: Person, absent: readonly Person[]) =>
    absent.some(({ userId }) => person.standsInFor?.includes(userId))
  return [
    ...left.map((person) => ({ person, isByEmail: addressed.includes(person) })),
    ...point.substitutes
      .filter((person) => standsIn(person, left))
      .map((person) => ({ person, isByEmail: standsIn(person, addressed) })),
    ...(sideOf(point.type) === 'external' ? emails.map((email) => ({ email, point })) : []),
  ]
}

/** The signer if they have an account, otherwise the addresses of the point. */
function signerAt(point: NotifiedPoint, signerId: string | null | undefined): Reader[] {
  const asked = askedAt(point)
  const signer = asked.filter((reader) => 'person' in reader && reader.person.userId === signerId)
  if (signer.length > 0) return signer.map((reader) => ({ ...reader, isByEmail: true }))
  return asked.filter((reader) => 'email' in reader)
}

/** The people who acted at the point; those without an account are reached at the addresses that the sender gave. */
function actedAt(point: NotifiedPoint): Reader[] {
  const { people, acted, emails, type } = point
  const known = people.filter(({ userId }) => acted.includes(userId))
  const isByOthers = acted.some((id) => !people.some(({ userId }) => userId === id))
  return [
    ...known.map((person) => ({ person, isByEmail: true })),
    ...(isByOthers && sideOf(type) === 'external' ? emails.map((email) => ({ email, point })) : []),
  ]
}

/** The readers who may see the request; addresses only after the turn of their point has come. */
export function allowedRecipients(request: NotifiedRequest, readers: readonly Reader[]): AllowedRecipient[] {
  return readers.flatMap((reader): AllowedRecipient[] => {
    if ('email' in reader) {
      const { email, point } = reader
      if (!hasCome(pointNow(request, point))) return []
      const numbers = point.bin === null ? [] : [point.bin]
      const to = { userId: null, organizationId: null, email, number: point.bin }
      return [{ to, isByEmail: true, viewer: { id: '', numbers, organizationId: null, isOwner: false } }]
    }
    const { userId, organizationId, isOwner, email, standsInFor = [] } = reader.person
    const absent = { organizationId, people: standsInFor }
    const viewer = { id: userId, numbers: [], organizationId, isOwner, standsInFor: absent }
    if (!maySee(seenOf(request), viewer)) return []
    return [{ to: { userId, organizationId, email }, isByEmail: reader.isByEmail, viewer }]
  })
}

function maySeePoint(request: NotifiedRequest, point: NotifiedPoint, viewer: Viewer): boolean {
  return seesPoint(seenOf(request), withParticipants(point), viewer)
}

function seenOf({
  organizationId,
  authorId,
  status,
  points,
  terminating,
}: NotifiedRequest): RequestVisibility {
  const current = processOf({ status }) === 'terminating' ? terminating : points
  return {
    organizationId,
    authorId,
    points: points.map(withParticipants),
    awaited: awaitedPoints(status, current),
  }
}

function withParticipants(point: NotifiedPoint) {
  const told = point.escalation?.isTold ? point.escalation.people : []
  return {
    ...point,
    participants: point.people.map(({ userId }) => userId),
    told: told.map(({ userId }) => userId),
  }
}

function pointOf(
  request: Pick<NotifiedRequest, 'points' | 'terminating'>,
  { process, pointId }: NotifiedEvent,
): NotifiedPoint | undefined {
  const points = process === 'terminating' ? request.terminating : request.points
  return points.find((point) => point.pointId === pointId)
}

/** The point of the signing process, which decides about visibility. */
function pointNow(request: NotifiedRequest, { pointId }: NotifiedPoint): NotifiedPoint {
  return request.points.find((point) => point.pointId === pointId)!
}
