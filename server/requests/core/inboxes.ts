/**
 * The inboxes in which a request is listed. They are saved with the request, so that a list of incoming requests is
 * read from one index.
 */
import type { Tx } from '@kelisim/db/db.ts'
import type { Change } from '@kelisim/db/together.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  isDone,
  pointsOf,
  type RequestPoint,
  type SigningRequest,
} from '@kelisim/domain/requests/life-cycle/request.ts'
import { hasCome, isAwaited } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { askedPointStatuses, requestStatuses, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import { earliest } from './due.ts'
import type { LoadedRequest } from './loaded.ts'
import { removedOtherInboxes, savedInboxes } from './queries/inboxes.ts'
import type { PointRow } from './queries/rows.ts'

/** Groups of the sender see a request from the start, everybody else when their turn comes. */
export function changedInboxes(
  tx: Tx,
  loaded: LoadedRequest,
  after: SigningRequest,
  /** By which day each point has to be answered. */
  due: ReadonlyMap<string, string>,
  now: Date,
): Change[] {
  const inboxes = new Map<string, { waits: boolean; isDone: boolean; dueOn: string | null }>()
  const list = (inbox: string, point: RequestPoint | undefined, mayAct = true) => {
    const before = inboxes.get(inbox) ?? { waits: false, isDone: true, dueOn: null }
    inboxes.set(inbox, {
      waits: before.waits || (mayAct && point !== undefined && isWaiting(after.status, point)),
      dueOn: earliest([before.dueOn ?? [], due.get(point?.pointId ?? '') ?? []].flat()),
      isDone: before.isDone && (point === undefined || isDone(point)),
    })
  }
  const current = new Map(pointsOf(after).map((point) => [point.pointId, point]))
  for (const { pointId, type } of after.points) {
    const row = loaded.signing.find((one) => one.pointId === pointId)!
    const inbox = inboxOf(row)
    const signing = after.points.find((point) => point.pointId === pointId)!
    // Whoever was told that the deadline passed has the request in their list, as waiting while they may answer.
    const told = escalationInbox(row)
    if (told !== null && (row.escalatedAt !== null || (signing.told ?? []).length > 0))
      list(told, current.get(pointId), row.escalationActs && signing.deadline?.told === 'overdue')
    const isListed = sideOf(type) === 'internal' || hasCome(signing)
    if (inbox === null || !isListed) continue
    list(inbox, current.get(pointId))
  }
  const isTaken = ({ pointId }: RequestPoint) => !after.points.some((point) => point.pointId === pointId)
  const removed = loaded.request.points.some(isTaken)
    ? [removedOtherInboxes(tx, loaded.row.id, [...inboxes.keys()])]
    : []
  if (inboxes.size === 0) return removed
  const status = requestStatuses.of(after.status)
  const rows = [...inboxes].map(([inbox, state]) => ({
    ...state,
    inbox,
    requestId: loaded.row.id,
    name: loaded.row.name,
    arrivedAt: now,
    status,
  }))
  return [...removed, savedInboxes(tx, rows)]
}

/** The inbox of those to whom the point is escalated: a group, or a member within this organisation only. */
function escalationInbox(row: PointRow): string | null {
  const { escalationGroupId, escalationUserId, organizationId } = row
  if (escalationUserId !== null && organizationId !== null)
    return memberInbox({ organizationId, userId: escalationUserId })
  return escalationGroupId
}

export function memberInbox(member: { organizationId: string; userId: string }): string {
  return `${member.organizationId}/${member.userId}`
}

function isWaiting(status: RequestStatus, point: RequestPoint): boolean {
  return isAwaited(status, point) && askedPointStatuses.includes(point.status)
}

/** A group, or a BIN or IIN; people who are only informed by e-mail have no inbox. */
function inboxOf({ groupId, bin, type }: Pick<PointRow, 'groupId' | 'bin' | 'type'>): string | null {
  if (groupId !== null) return groupId
  return sideOf(typeOf(type)!) === 'external' && bin !== '' ? bin : null
}
