/** The steps of a request as the editor of routes knows them. */
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { pointStatusOf } from '@kelisim/domain/requests/point-status-word.ts'
import { isAhead } from '@kelisim/domain/requests/steps-ahead.ts'
import type { EditorPoint } from '../../routes/editor/editor-point.ts'
import { pointsOf, stepsOf, type Steps } from '../../routes/editor/steps.ts'
import type { PointView, RequestView } from '../shared/request-view.ts'

export type RouteSteps = Steps<EditorPoint>

/** The steps that have begun, and the steps ahead, which may still be changed. */
export function splitSteps(
  { points }: Pick<RequestView, 'points'>,
  organizationId: string,
): Record<'begun' | 'ahead', RouteSteps> {
  const editable = (point: PointView) => {
    const status = pointStatusOf(point)
    return status !== null && isAhead({ status })
  }
  const inEditor = (some: PointView[]) =>
    stepsOf(some.map((point) => ({ ...editorPointOf(point, organizationId), order: point.order })))
  return {
    begun: inEditor(points.filter((point) => !editable(point))),
    ahead: inEditor(points.filter(editable)),
  }
}

/** A step keeps its settings from the route; they are left out, so the editor does not offer them for change. */
function editorPointOf(point: PointView, organizationId: string): EditorPoint {
  const { pointId, name, bin, groupName, organizationName } = point
  const type = typeOf(point.type)!
  const side = sideOf(type)
  return {
    pointId,
    name,
    type,
    scope: 'common',
    isActive: true,
    organizationId: side === 'counterParty' ? '' : organizationId,
    who: side === 'internal' ? groupName : organizationName || bin,
    bin: side === 'internal' ? '' : bin,
    condition: null,
    termDays: null,
    escalation: null,
  }
}

/** The steps as input of the call, including the term and escalation that an added step may have. */
export function inputOf(steps: RouteSteps) {
  return pointsOf(steps).map(({ pointId, order, termDays, escalation }) => ({
    pointId,
    order,
    termDays,
    escalation: escalation && { kind: escalation.kind, id: escalation.id, mayAct: escalation.mayAct },
  }))
}

/** Whether both lists have the same points in the same turns. */
export function areSame(one: RouteSteps, other: RouteSteps): boolean {
  const keyOf = (steps: RouteSteps) =>
    steps
      .map((step) =>
        step
          .map(({ pointId }) => pointId)
          .toSorted()
          .join('+'),
      )
      .join()
  return keyOf(one) === keyOf(other)
}
