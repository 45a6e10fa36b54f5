/** The text of the status of a point: a key of `pointStatus` in texts/…/requests.json. */
import { actOf, typeOf } from '../points/point-types.ts'
import { findPointStatus, type PointStatus } from './status.ts'

/** Null for an unknown status. */
export function pointStatusOf({ status }: { status: number }): PointStatus | null {
  return findPointStatus(status) ?? null
}

/** The text of Waiting depends on the act; after the end of the request no point is waiting. */
export function pointStatusWord(point: { status: number; type: number }, isOver = false) {
  const status = pointStatusOf(point)
  if (isOver && status === 'InQueue') return 'notReached'
  if (isOver && status === 'Waiting') return 'notNeeded'
  if (status === null) return 'unknown'
  const act = actOf(typeOf(point.type)!)
  if (status === 'Notified') return act === 'confirm' ? 'Confirmed' : 'Notified'
  if (status !== 'Waiting') return status
  switch (act) {
    case 'approve':
      return 'onApproving'
    case 'sign':
      return 'onSigning'
    case 'confirm':
      return 'onNotified'
    case 'inform':
      return 'unknown'
  }
}
