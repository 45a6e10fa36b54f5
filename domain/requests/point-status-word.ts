/** How the status of a point is said (SPEC.md section 4): which word of texts/…/requests.json `pointStatus` it is. */
import { actOf, typeOf } from '../points/point-types.ts'
import { findPointStatus, type PointStatus } from './status.ts'

/** Null: a status that nobody here knows. */
export function pointStatusOf({ status }: { status: number }): PointStatus | null {
  return findPointStatus(status) ?? null
}

/** Waiting depends on what is waited for; once it is over nobody stands in a queue or is waited for any more. */
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
