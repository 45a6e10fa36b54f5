/** A point as the editor knows it: enough to show and judge it. The rehearsal adds who is behind it. */
import type * as z from 'zod/mini'
import type { PublishedPoint } from '@kelisim/domain/points/contract.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { Condition } from '@kelisim/domain/routes/condition.ts'
import type { PointInRoute } from '@kelisim/domain/routes/contract.ts'
import type { RoutePoint } from '@kelisim/domain/routes/route.ts'
import { visibilityOf } from '@kelisim/domain/visibility.ts'
import type { EditorEscalation } from '../conditions/use-escalation-text.ts'
import type { PointView } from '../../points/point-view.ts'

export type EditorPoint = Omit<RoutePoint, 'order'> & {
  name: string
  /** Who acts there: a group of the organisation, or the owner of the number. Null: the group was deleted. */
  who: string | null
  /** The number of an outside side; empty for points of the organisation. */
  bin: string
  /** When the point is taken; null: always. */
  condition: Condition | null
  /** How many working days its people have; null: no deadline. */
  termDays: number | null
  /** Who is told when these days have passed; null: nobody else. */
  escalation: EditorEscalation | null
}

type InRoute = z.output<typeof PointInRoute>

/** A point of the route, or one that can be added to it. */
export function editorPoint(point: PointView | InRoute, organizationId: string): EditorPoint {
  const { name, isActive, group, organizationName, bin } = point
  const type = typeOf(point.type)!
  const side = sideOf(type)
  return {
    name,
    isActive,
    type,
    pointId: 'pointId' in point ? point.pointId : point.id,
    // A counterparty's point belongs to another organisation, which its number identifies.
    organizationId: side === 'counterParty' ? '' : organizationId,
    scope: visibilityOf(point.visibilityScope) === 'public' ? 'common' : 'personal',
    who: side === 'internal' ? (group?.name ?? null) : organizationName || bin,
    bin: side === 'internal' ? '' : (bin ?? ''),
    condition: 'condition' in point ? point.condition : null,
    termDays: 'termDays' in point ? point.termDays : null,
    escalation: 'escalation' in point ? point.escalation : null,
  }
}

export function publishedPoint(point: z.output<typeof PublishedPoint>): EditorPoint {
  return {
    pointId: point.id,
    name: point.name,
    type: typeOf(point.type)!,
    scope: 'common',
    isActive: true,
    organizationId: '',
    who: point.organizationName || point.bin,
    bin: point.bin,
    condition: null,
    termDays: null,
    escalation: null,
  }
}

/** The other sides of a route, each once; with conditions, a document may go to only some of them. */
export function sidesOf(points: readonly EditorPoint[]): { bin: string; name: string }[] {
  const sides = new Map<string, string>()
  for (const { bin, who } of points) if (bin !== '' && !sides.has(bin)) sides.set(bin, who ?? '')
  return [...sides].map(([bin, name]) => ({ bin, name }))
}
