/**
 * Saves the events that the rules decided on: the history, the request and its points after them, and the news of it
 * that has to be told.
 */
import type { Updateable } from 'kysely'
import type { Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { changeTogether, type Change } from '@kelisim/db/together.ts'
import type { StoredActor } from '@kelisim/db/schema/requests.ts'
import { apply } from '@kelisim/domain/requests/life-cycle/apply.ts'
import { isNews, type PassedPoint, type RequestEvent } from '@kelisim/domain/requests/life-cycle/events.ts'
import { isDone, type SigningRequest } from '@kelisim/domain/requests/life-cycle/request.ts'
import { endsLock, releaseLock } from '@kelisim/domain/requests/lock.ts'
import { refusalOfCode } from '@kelisim/domain/requests/signer.ts'
import {
  openStatuses,
  pointStatuses,
  pointStatusOf,
  requestStatuses,
} from '@kelisim/domain/requests/status.ts'
import { escalationColumns } from '../../routes/queries.ts'
import { deadlineOfTurn, dueDays, earliest } from './due.ts'
import { changedInboxes } from './inboxes.ts'
import type { LoadedRequest } from './loaded.ts'
import { announcement } from './queries/changes.ts'
import { addedEvents, addedPendingEvents, type NewEvent } from './queries/events.ts'
import { addPointRows, changedPoints, changedRequest } from './queries/requests.ts'
import type { PointRow, RequestRow } from './queries/rows.ts'
import { lockOf, turnOf } from './state.ts'

/** A side that signs, as the log records it for ever. */
export type Side = { pointId: string; name: string; bin: string }

/** What is recorded with the first of the events of an act: who acted, from where and with which comment. */
export type ActDetails = {
  /** null: the system. */
  actor: StoredActor | null
  address: string | null
  comment: string
  /** The person named at the point if it is not the actor: the system records the check of a signature long after the signing. */
  shownAtPoint?: { fullName: string; insteadOf?: string; comment: string }
  /** Further data of the first event. */
  data?: Record<string, unknown>
  /** Who signs from now on, as the event `sides-changed` tells it. */
  sides?: readonly Side[]
  /** What replaces the document. */
  document?: Pick<RequestRow, 'documentId' | 'fileId' | 'fileName' | 'format'>
  /** The event of sending, which is saved with those of the start. */
  sent?: NewEvent
}

/** Saves state, history and inboxes. The request must be locked. */
export async function saveEvents(
  tx: Tx,
  loaded: LoadedRequest,
  events: readonly RequestEvent[],
  details: ActDetails,
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const { row } = loaded
  const attempt = row.attempt + (events.some(({ type }) => type === 'termination-begun') ? 1 : 0)
  const after = events.reduce(apply, loaded.request)
  if (attempt > row.attempt) await addTerminatingPoints(tx, loaded, attempt)
  const status = requestStatuses.of(after.status)
  const due = dueDays(loaded, after, events, now)
  const request = changedRequest(tx, row.id, {
    ...details.document,
    status,
    revision: after.revision,
    attempt,
    version: row.version + 1,
    eventsCount: row.eventsCount + events.length,
    changedAt: now,
    dueOn: earliest(due.values()),
    ...(status !== row.status && { statusChangedAt: now }),
    ...lockAfter(loaded, after, attempt, details, now),
  })
  const changes = [
    ...addedHistory(tx, loaded, events, attempt, details, now),
    ...changedPointsOf(tx, loaded, after, events, attempt, details, now),
    request,
    ...changedInboxes(tx, loaded, after, due, now),
  ]
  // A request that is just being sent has no open page to be told.
  const told = details.sent ? undefined : announcement(row.id, row.version + 1)
  await changeTogether(tx, changes, told)
}

/**
 * Saves events that change only the history: the version stays the same, so nobody who acts meanwhile is told that
 * the request has changed.
 */
export async function recordEvents(
  tx: Tx,
  loaded: LoadedRequest,
  events: readonly RequestEvent[],
  details: ActDetails,
  now: Date,
): Promise<void> {
  if (events.length === 0) return
  const { row } = loaded
  await changeTogether(tx, [
    ...addedHistory(tx, loaded, events, row.attempt, details, now),
    changedRequest(tx, row.id, { eventsCount: row.eventsCount + events.length }),
  ])
}

function lockAfter(
  { row, request }: LoadedRequest,
  after: SigningRequest,
  attempt: number,
  { actor }: ActDetails,
  now: Date,
): Updateable<Schema['signingRequests']> {
  const lock = lockOf(row)
  const isOpen = openStatuses.includes(after.status)
  const turns = { before: turnOf(row, request), after: isOpen ? turnOf({ attempt }, after) : null }
  if (lock === null || !endsLock(lock, { actor: actor?.id ?? null, turns })) return {}
  const held = releaseLock(lock, row.lockHeld ?? { turn: '', by: {} }, now)
  return { lockBy: null, lockName: null, lockUntil: null, lockHeld: JSON.stringify(held) }
}

function addedHistory(
  tx: Tx,
  { row, request }: LoadedRequest,
  events: readonly RequestEvent[],
  attempt: number,
  { actor, address, comment, data = {}, sides, sent }: ActDetails,
  now: Date,
): Change[] {
  let before = request
  const rows = events.map((event, i) => {
    const after = apply(before, event)
    const [from, to] = [before.status, after.status]
    before = after
    // One opening may be of several points, all by the same person; the events that follow an act are done by nobody.
    const isAct = i === 0 || event.type === 'opened'
    const ofSigning = 'process' in event && event.process === 'signing'
    return {
      requestId: row.id,
      number: row.eventsCount + i + 1,
      at: now,
      type: event.type,
      attempt: ofSigning ? 0 : attempt,
      pointId: 'pointId' in event ? event.pointId : null,
      actor: isAct && actor ? JSON.stringify(actor) : null,
      address: isAct ? address : null,
      comment: isAct ? comment : '',
      data: JSON.stringify({
        ...('signatureId' in event && { signatureId: event.signatureId }),
        ...(event.type === 'passed-over' && passedData(event.point)),
        ...(event.type === 'escalated' && { mayAct: event.mayAct }),
        ...(event.type === 'sides-changed' && { sides }),
        ...('receipt' in event && event.receipt),
        ...(isAct && data),
      }),
      before: requestStatuses.of(from),
      after: requestStatuses.of(to),
    }
  })
  const added = addedEvents(tx, sent ? [sent, ...rows] : rows)
  if (!rows.some(({ type }) => isNews(type))) return [added]
  const pending = addedPendingEvents(tx, {
    requestId: row.id,
    firstNumber: rows[0]!.number,
    lastNumber: rows.at(-1)!.number,
    at: now,
  })
  return [added, pending]
}

/** A point that was passed over is not stored among those of the request, so the event itself describes it. */
function passedData({ name, order, condition }: PassedPoint): Record<string, unknown> {
  return { point: name, order, condition }
}

function changedPointsOf(
  tx: Tx,
  loaded: LoadedRequest,
  after: SigningRequest,
  events: readonly RequestEvent[],
  attempt: number,
  details: ActDetails,
  now: Date,
): Change[] {
  const began = attempt > loaded.row.attempt
  const isAskedAgain = events.some(({ type }) => type === 'corrected')
  // The rules drop the points of a rejected termination; their rows keep the state they had.
  const last = lastTermination(loaded.request, events) ?? after.termination
  const changed = [
    ...after.points.map((point) => ({ point, attempt: 0, before: loaded.request.points })),
    ...(last?.points ?? []).map((point) => ({
      point,
      attempt,
      before: began ? [] : (loaded.request.termination?.points ?? []),
    })),
  ].filter(({ point, before }) => before.find(({ pointId }) => pointId === point.pointId) !== point)
  const changes = changed.map(({ point, attempt: of }) => {
    const happened = events.filter(
      (event) =>
        'pointId' in event && event.pointId === point.pointId && (event.process === 'signing') === (of === 0),
    )
    const turnCame = happened.some(({ type }) => type === 'turn-came')
    // At a personal point, the answer of one person does not describe the others.
    const reason = point.isPersonal
      ? undefined
      : happened.map((event) => reasonOf(event, details)).findLast((found) => found !== null)
    const isActHere = happened.includes(events[0]!)
    const change = {
      ...(isAskedAgain && of === 0 && asNew),
      status: pointStatuses[point.status],
      acted: point.acted,
      stoodInBy: isActHere && details.actor?.insteadOf ? details.actor.id : undefined,
      pendingSignature: point.pending?.signatureId ?? null,
      pendingBy: point.pending?.by ?? null,
      ...(point.isPersonal && { checking: JSON.stringify(point.checking ?? []) }),
      ...(point.deadline && { toldDeadline: point.deadline.told }),
      ...(turnCame && { turnCameAt: now, ...deadlineOfTurn(loaded, of, point.pointId, now) }),
      ...(happened.some(({ type }) => type === 'escalated') && { escalatedAt: now }),
      ...(!point.isProposed && { proposal: null }),
      ...(happened.some(({ type }) => type === 'proposed') && { proposal: loaded.row.eventsCount + 1 }),
      ...(isDone(point) || point.status === 'Rejected' ? { doneAt: now } : {}),
      ...(reason !== undefined && { reason: JSON.stringify(reason) }),
    }
    return { attempt: of, pointId: point.pointId, change }
  })
  // Points of one turn change alike, and are saved together.
  const alike = Map.groupBy(changes, ({ attempt: of, change }) => JSON.stringify([of, change]))
  return [...alike.values()].map((same) => {
    const [{ attempt: of, change }] = same as [(typeof same)[number]]
    const pointIds = same.map(({ pointId }) => pointId)
    return changedPoints(tx, { requestId: loaded.row.id, attempt: of, pointIds }, change)
  })
}

/** Resets a point of a corrected request, but not that its people have had the document before. */
const asNew = { doneAt: null, reason: null, remindOn: null, dueOn: null, toldDeadline: 'nothing' } as const

/** The termination as it was when one side rejected it. */
function lastTermination(
  before: SigningRequest,
  events: readonly RequestEvent[],
): SigningRequest['termination'] {
  const refusal = events.find((event) => event.type === 'rejected' && event.process === 'terminating')
  if (refusal?.type !== 'rejected' || !before.termination) return null
  const points = before.termination.points.map((point) =>
    point.pointId === refusal.pointId ? { ...point, status: 'Rejected' as const } : point,
  )
  return { ...before.termination, points }
}

/** The statusDescriptionData of the API: who acted and their comment, or why a signature was refused. */
function reasonOf(
  event: RequestEvent,
  { actor, comment, shownAtPoint, data }: ActDetails,
): { alias: string; parameters: Record<string, unknown> } | null {
  const parameters = shownAtPoint ?? { ...shownName(actor), comment }
  switch (event.type) {
    case 'signature-refused':
      return { alias: refusalOfCode(data?.['code']), parameters: { ...parameters, ...keyFacts(data) } }
    case 'signature-accepted':
    case 'approved':
    case 'confirmed':
    case 'rejected':
      return { alias: 'user-comment', parameters }
    case 'started':
    case 'turn-came':
    case 'signature-taken':
    case 'point-done':
    case 'all-signed':
    case 'completed':
    case 'withdrawn':
    case 'termination-begun':
    case 'termination-signed':
    case 'terminated':
    case 'registered':
    case 'passed-over':
    case 'opened':
    case 'delivered':
    case 'undelivered':
    case 'due-soon':
    case 'overdue':
    case 'escalated':
    case 'expired':
    case 'corrected':
    case 'rerouted':
    case 'sides-changed':
    case 'proposed':
    case 'proposal-declined':
      return null
  }
}

/** The code of the refusal and, if it is about the key, which one was needed and which one was given. */
function keyFacts(data: Record<string, unknown> | undefined): Record<string, unknown> {
  const { code, needed, given } = data ?? {}
  return { code, ...(needed !== undefined && { needed, given }) }
}

/** The name of the actor, of the absent colleague they acted for, and of the program that acted in their name. */
export function shownName(actor: StoredActor | null): {
  fullName: string
  insteadOf?: string
  program?: string
} {
  return {
    fullName: actor?.fullName ?? '',
    ...(actor?.insteadOf && { insteadOf: actor.insteadOf.fullName }),
    ...(actor?.program !== undefined && { program: actor.program }),
  }
}

async function addTerminatingPoints(tx: Tx, { row, signing }: LoadedRequest, attempt: number): Promise<void> {
  const signed = signing.filter(({ status }) => pointStatusOf(status) === 'Signed')
  const rows = signed.map((found) => ({
    ...storedColumns(found),
    requestId: row.id,
    attempt,
    // The terminating document is made here, and its signatures stand beside it, whatever the form was before.
    signatureForm: 'cms' as const,
    status: pointStatuses.InQueue,
    reason: null,
    acted: [],
    stoodIn: [],
    checking: '[]',
    turnCameAt: null,
    doneAt: null,
    termDays: null,
    remindOn: null,
    dueOn: null,
    toldDeadline: 'nothing' as const,
    ...escalationColumns(null),
    escalatedAt: null,
    proposal: null,
    place: null,
  }))
  await addPointRows(tx, rows)
}

/** Without the columns that were joined to the row. */
function storedColumns(point: PointRow) {
  const {
    groupName: _,
    isAudience: __,
    participants: ___,
    actsForId: ____,
    escalationPeople: _____,
    escalationName: ______,
    ...row
  } = point
  return row
}
