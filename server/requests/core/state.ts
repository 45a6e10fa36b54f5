/** Loads a request from the database in the form of the rules (domain/requests/life-cycle/). */
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Deadline } from '@kelisim/domain/requests/deadlines/deadline.ts'
import { inPlaceOf } from '@kelisim/domain/requests/deadlines/escalation.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  currentTurn,
  pointsOf,
  processOf,
  type RequestPoint,
  type SigningRequest,
} from '@kelisim/domain/requests/life-cycle/request.ts'
import { isWorn, type Lock } from '@kelisim/domain/requests/lock.ts'
import type { SignedMatter } from '@kelisim/domain/powers-of-attorney/power.ts'
import { pointStatusOf, requestStatusOf } from '@kelisim/domain/requests/status.ts'
import type { LoadedRequest } from './loaded.ts'
import { findPointRows, findRequestRows, lockRequestRow } from './queries/requests.ts'
import type { PointRow, RequestRow } from './queries/rows.ts'

export async function findRequest(db: Db, requestId: string): Promise<LoadedRequest | undefined> {
  return (await findRequestsAmong(db, [requestId]))[0]
}

/** In no particular order; ids without a request are left out. */
export async function findRequestsAmong(db: Db, requestIds: readonly string[]): Promise<LoadedRequest[]> {
  if (requestIds.length === 0) return []
  const rows = await findRequestRows(db, requestIds)
  const points = Map.groupBy(await findPointRows(db, requestIds), ({ requestId }) => requestId)
  return rows.map((row) => {
    const ofRow = points.get(row.id) ?? []
    const signing = ofRow.filter(({ attempt }) => attempt === 0)
    const terminating = ofRow.filter(({ attempt }) => attempt > 0)
    return { row, signing, terminating, request: toSigningRequest(row, signing, terminating) }
  })
}

/** Locks the request against other acts until the transaction ends. */
export async function lockedRequest(tx: Tx, requestId: string): Promise<LoadedRequest | undefined> {
  await lockRequestRow(tx, requestId)
  return findRequest(tx, requestId)
}

function toSigningRequest(
  row: RequestRow,
  signing: readonly PointRow[],
  terminating: readonly PointRow[],
): SigningRequest {
  const status = requestStatusOf(row.status)
  const { terminatedFrom } = row
  const from =
    terminatedFrom !== null && requestStatusOf(terminatedFrom) === 'Signed' ? 'Signed' : 'Completed'
  const request: SigningRequest = {
    authorId: row.authorId,
    status,
    revision: row.revision,
    expiresOn: row.expiresOn,
    isFromLanding: row.isFromLanding,
    points: signing.map((point) => toRequestPoint(point, row, signing)),
    termination:
      processOf({ status }) === 'terminating'
        ? { from, points: terminating.map((point) => toRequestPoint(point, row, signing)) }
        : null,
    lock: null,
  }
  const lock = lockOf(row)
  return { ...request, lock: lock && { ...lock, isWorn: isWorn(row.lockHeld, turnOf(row, request)) } }
}

export function lockOf({ lockBy, lockUntil }: Pick<RequestRow, 'lockBy' | 'lockUntil'>): Lock | null {
  return lockBy !== null && lockUntil !== null ? { by: lockBy, until: lockUntil } : null
}

/** Identifies the current turn: the attempt and the order of its points. */
export function turnOf({ attempt }: Pick<RequestRow, 'attempt'>, request: SigningRequest): string {
  const [first] = currentTurn(pointsOf(request))
  return `${request.termination === null ? 0 : attempt}.${first?.order ?? 0}`
}

function toRequestPoint(row: PointRow, request: RequestRow, signing: readonly PointRow[]): RequestPoint {
  const type = typeOf(row.type)!
  const { pointId, order, condition, quorum, isEdsRequired, acted, pendingSignature, pendingBy } = row
  const participants = row.participants.map(({ id }) => id)
  const escalation = {
    people: row.escalationPeople.map(({ id }) => id),
    mayAct: row.escalationActs,
  }
  return {
    pointId,
    type,
    order,
    condition,
    quorum,
    isEdsRequired,
    acted,
    stoodIn: row.stoodIn,
    wasReached: row.turnCameAt !== null,
    deadline: deadlineOf(row),
    status: pointStatusOf(row.status),
    participants,
    escalation,
    isProposed: row.proposal !== null,
    told: row.escalatedAt === null ? [] : escalation.people,
    inPlace: row.toldDeadline === 'overdue' ? inPlaceOf(escalation, participants) : [],
    isPersonal: row.isAudience === true,
    organizationId: row.actsForId,
    keyRule: { keyHolder: row.keyHolder, keyHolderIin: row.keyHolderIin },
    matter: matterOf(row.bin, request.senderBin, signing),
    // A sender without an account has no group: anybody who proves the number may act.
    bin: (sideOf(type) === 'external' || row.groupId === null) && row.bin !== '' ? row.bin : null,
    pending: pendingSignature && pendingBy ? { signatureId: pendingSignature, by: pendingBy } : null,
    checking: row.checking,
  }
}

export function deadlineOf({ remindOn, dueOn, toldDeadline }: PointRow): Deadline | null {
  return remindOn !== null && dueOn !== null ? { remindOn, dueOn, told: toldDeadline } : null
}

/** The document as the side with this number sees it: incoming or not, and with which other numbers. */
export function matterOf(
  bin: string,
  senderBin: string,
  points: readonly Pick<PointRow, 'bin'>[],
): SignedMatter {
  const numbers = new Set([senderBin, ...points.map((point) => point.bin)].filter((number) => number !== ''))
  return { bin, isIncoming: bin !== senderBin, others: [...numbers].filter((number) => number !== bin) }
}
