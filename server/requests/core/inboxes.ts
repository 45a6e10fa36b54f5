/** In whose incoming documents a request lies: kept with it, so that a list is read from one index. */
import type { Tx } from '@kelisim/db/db.ts'
import { actOf, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  isDone,
  pointsOf,
  type RequestPoint,
  type SigningRequest,
} from '@kelisim/domain/requests/life-cycle.ts'
import { openStatuses, requestStatuses, type RequestStatus } from '@kelisim/domain/requests/status.ts'
import type { Loaded, PointRow } from './loaded.ts'

/** In whose incoming documents it lies: inside from the start, outside from the turn on. */
export async function saveInboxes(tx: Tx, loaded: Loaded, after: SigningRequest, now: Date): Promise<void> {
  const inboxes = new Map<string, { waits: boolean; isDone: boolean }>()
  const current = new Map(pointsOf(after).map((point) => [point.pointId, point]))
  for (const { pointId, type } of after.points) {
    const inbox = inboxOf(loaded.signing.find((row) => row.pointId === pointId)!)
    const signing = after.points.find((point) => point.pointId === pointId)!
    const hasCome = sideOf(type) === 'internal' || signing.status !== 'InQueue'
    if (inbox === null || !hasCome) continue
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
  await tx
    .insertInto('requestInboxes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['inbox', 'requestId']).doUpdateSet((eb) => ({
        status: eb.ref('excluded.status'),
        waits: eb.ref('excluded.waits'),
        isDone: eb.ref('excluded.isDone'),
      })),
    )
    .execute()
}

function isWaiting(status: RequestStatus, point: RequestPoint): boolean {
  const isAsked = point.status === 'Waiting' || point.status === 'ValidationError'
  return openStatuses.includes(status) && isAsked && actOf(point.type) !== 'inform'
}

/** A group, or whoever has the number; people told directly have no list here. */
function inboxOf({ groupId, bin, type }: Pick<PointRow, 'groupId' | 'bin' | 'type'>): string | null {
  if (groupId !== null) return groupId
  return sideOf(typeOf(type)!) === 'external' && bin !== '' ? bin : null
}
