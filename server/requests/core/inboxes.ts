/** The inboxes in which a request is listed: saved with the request, so that a list of incoming requests is read from one index. */
import type { Tx } from '@kelisim/db/db.ts'
import { actOf, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  isDone,
  pointsOf,
  type RequestPoint,
  type SigningRequest,
} from '@kelisim/domain/requests/life-cycle.ts'
import { hasCome } from '@kelisim/domain/requests/permissions.ts'
import { openStatuses, requestStatuses, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import type { LoadedRequest } from './loaded.ts'
import { saveInboxRows } from './queries/inboxes.ts'
import type { PointRow } from './queries/rows.ts'

/** Groups of the sender see a request from the start, everybody else when their turn comes. */
export async function saveInboxes(
  tx: Tx,
  loaded: LoadedRequest,
  after: SigningRequest,
  now: Date,
): Promise<void> {
  const inboxes = new Map<string, { waits: boolean; isDone: boolean }>()
  const current = new Map(pointsOf(after).map((point) => [point.pointId, point]))
  for (const { pointId, type } of after.points) {
    const inbox = inboxOf(loaded.signing.find((row) => row.pointId === pointId)!)
    const signing = after.points.find((point) => point.pointId === pointId)!
    const isListed = sideOf(type) === 'internal' || hasCome(signing)
    if (inbox === null || !isListed) continue
    const point = current.get(pointId)
    const before = inboxes.get(inbox) ?? { waits: false, isDone: true }
    inboxes.set(inbox, {
      waits: before.waits || (point !== undefined && isWaiting(after.status, point)),
      isDone: before.isDone && (point === undefined || isDone(point)),
    })
  }
  if (inboxes.size === 0) return
  const status = requestStatuses.of(after.status)
  const rows = [...inboxes].map(([inbox, state]) => ({
    ...state,
    inbox,
    requestId: loaded.row.id,
    name: loaded.row.name,
    arrivedAt: now,
    status,
  }))
  await saveInboxRows(tx, rows)
}

function isWaiting(status: RequestStatus, point: RequestPoint): boolean {
  const isAsked = point.status === 'Waiting' || point.status === 'ValidationError'
  return openStatuses.includes(status) && isAsked && actOf(point.type) !== 'inform'
}

/** A group, or a BIN or IIN; people who are only informed by e-mail have no inbox. */
function inboxOf({ groupId, bin, type }: Pick<PointRow, 'groupId' | 'bin' | 'type'>): string | null {
  if (groupId !== null) return groupId
  return sideOf(typeOf(type)!) === 'external' && bin !== '' ? bin : null
}
