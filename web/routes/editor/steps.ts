/**
 * The editor's picture of a route: steps from top to bottom, the points of one step beside each other. A point is put
 * into a step (in parallel with the points there) or into a gap (as a step of its own); gap 0 is above the first
 * step.
 *
 *   gap 0
 *   step 0   [ lawyers ] [ accountants ]
 *   gap 1
 *   step 1   [ director ]
 *   gap 2
 */
import { turnsOf } from '@kelisim/domain/routes/route.ts'

type Known = { pointId: string }
export type Steps<P> = readonly (readonly P[])[]
export type StepPlace = { into: 'step' | 'gap'; index: number }

/** Stored orders need not be contiguous; the editor shows 1, 2, 3. */
export function stepsOf<P extends { order: number }>(points: readonly P[]): Omit<P, 'order'>[][] {
  return turnsOf(points).map((turn) => turn.points.map(({ order: _, ...point }) => point))
}

export function pointsOf<P extends Known>(steps: Steps<P>): (P & { order: number })[] {
  return steps.flatMap((step, i) => step.map((point) => ({ ...point, order: i + 1 })))
}

export function hasPoint(steps: Steps<Known>, pointId: string): boolean {
  return steps.some((step) => step.some((point) => point.pointId === pointId))
}

export function lastGap(steps: Steps<unknown>): StepPlace {
  return { into: 'gap', index: steps.length }
}

/** Adds a point; a point that is already in the route stays where it is. */
export function withPoint<P extends Known>(steps: Steps<P>, point: P, place: StepPlace): Steps<P> {
  return hasPoint(steps, point.pointId) ? steps : put(steps, point, place)
}

export function withMoved<P extends Known>(steps: Steps<P>, pointId: string, place: StepPlace): Steps<P> {
  const from = steps.findIndex((step) => step.some((point) => point.pointId === pointId))
  const point = steps[from]?.find((one) => one.pointId === pointId)
  if (!point || isSamePlace(steps, from, place)) return steps
  const without = steps.map((step) => step.filter((one) => one !== point))
  return put(without, point, place).filter((step) => step.length > 0)
}

export function withChanged<P extends Known>(steps: Steps<P>, pointId: string, change: Partial<P>): Steps<P> {
  return steps.map((step) =>
    step.map((point) => (point.pointId === pointId ? { ...point, ...change } : point)),
  )
}

export function withoutPoints<P extends Known>(steps: Steps<P>, gone: readonly string[]): Steps<P> {
  return steps
    .map((step) => step.filter(({ pointId }) => !gone.includes(pointId)))
    .filter((step) => step.length > 0)
}

/**
 * The keyboard moves a point half a step at a time: out of a shared step into a step of its own, and from there into
 * the next step. Every arrangement can be reached this way, and the opposite key undoes a move.
 */
export function placeBeyond(steps: Steps<Known>, pointId: string, towards: 'up' | 'down'): StepPlace | null {
  const from = steps.findIndex((step) => step.some((point) => point.pointId === pointId))
  const step = steps[from]
  if (!step) return null
  if (step.length > 1) return { into: 'gap', index: towards === 'up' ? from : from + 1 }
  const index = towards === 'up' ? from - 1 : from + 1
  return steps[index] ? { into: 'step', index } : null
}

/** The position of a point, for screen readers. */
export function whereIs<P extends Known>(
  steps: Steps<P>,
  pointId: string,
): { point: P; step: number; of: number; beside: P[] } | null {
  for (const [i, step] of steps.entries()) {
    const point = step.find((one) => one.pointId === pointId)
    if (point) return { point, step: i + 1, of: steps.length, beside: step.filter((one) => one !== point) }
  }
  return null
}

/** The part of a step's height, at its top and bottom, that counts as the gap beside it. */
const edge = 0.25
const widestEdge = 28

/** The place of a point dragged to the height `y`, given the boxes of the steps on the screen. */
export function placeAt(bands: readonly { top: number; bottom: number }[], y: number): StepPlace {
  for (const [index, { top, bottom }] of bands.entries()) {
    const margin = Math.min((bottom - top) * edge, widestEdge)
    if (y < top + margin) return { into: 'gap', index }
    if (y <= bottom - margin) return { into: 'step', index }
  }
  return { into: 'gap', index: bands.length }
}

function put<P>(steps: Steps<P>, point: P, { into, index }: StepPlace): Steps<P> {
  if (into === 'gap') return steps.toSpliced(index, 0, [point])
  return steps.map((step, i) => (i === index ? [...step, point] : step))
}

function isSamePlace(steps: Steps<unknown>, from: number, { into, index }: StepPlace): boolean {
  if (into === 'step') return index === from
  return steps[from]?.length === 1 && (index === from || index === from + 1)
}
