/**
 * Changing the steps ahead of a running request (decision 085). A step is ahead while nobody is asked there yet;
 * earlier steps stay as they are, with everything that was done at them.
 */
import type { Alias } from '../errors.ts'
import { isSigningType, type PointType } from '../points/point-types.ts'
import { renumbered, turnsOf } from '../routes/route.ts'
import type { PointStatus } from './status.ts'

type Placed = { pointId: string; order: number }
type Step = Placed & { type: PointType; status: PointStatus; wasReached?: boolean }

export function isAhead({ status }: { status: PointStatus }): boolean {
  return status === 'InQueue'
}

/**
 * People who have had the document keep it: a step that was reached before a correction may be moved, but not
 * removed. If somebody had to sign before the change, somebody must have to sign after it.
 */
export function whyNotAhead(
  points: readonly Step[],
  ahead: readonly (Placed & { type: PointType })[],
): Alias | null {
  const wanted = new Set(ahead.map(({ pointId }) => pointId))
  const begun = points.filter((point) => !isAhead(point))
  const isBegunAgain = wanted.size < ahead.length || begun.some(({ pointId }) => wanted.has(pointId))
  const isTaken = points.some(
    (point) => isAhead(point) && point.wasReached === true && !wanted.has(point.pointId),
  )
  if (isBegunAgain || isTaken) return 'step-already-reached'
  const hadSigner = points.some(({ type }) => isSigningType(type))
  const hasSigner = [...begun, ...ahead].some(({ type }) => isSigningType(type))
  return hadSigner && !hasSigner ? 'nobody-left-to-sign' : null
}

/** The steps ahead in their new order, after the steps that have begun. A step that was there before is unchanged. */
export function placedAhead<P extends Step>(points: readonly P[], ahead: readonly P[]): P[] {
  const known = new Map(points.filter(isAhead).map((point) => [point.pointId, point]))
  const last = Math.max(0, ...points.filter((point) => !isAhead(point)).map(({ order }) => order))
  return turnsOf(ahead).flatMap((turn, i) =>
    turn.points.map((step) => {
      const order = last + i + 1
      const point = known.get(step.pointId) ?? step
      return point.order === order ? point : { ...point, order }
    }),
  )
}

/** Whether both lists have the same points in the same turns. */
export function areSameSteps(before: readonly Placed[], after: readonly Placed[]): boolean {
  const keyOf = (steps: readonly Placed[]) =>
    renumbered(steps)
      .map(({ pointId, order }) => `${order} ${pointId}`)
      .toSorted()
      .join()
  return keyOf(before) === keyOf(after)
}

/** Whether the signing points are no longer the same. */
export function changesSides(
  before: readonly { pointId: string; type: PointType }[],
  after: readonly { pointId: string; type: PointType }[],
): boolean {
  const keyOf = (points: typeof before) =>
    points
      .filter(({ type }) => isSigningType(type))
      .map(({ pointId }) => pointId)
      .toSorted()
      .join()
  return keyOf(before) !== keyOf(after)
}
