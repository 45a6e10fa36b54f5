/** Routes as the API returns them, with what the viewer may do. */
import { mayEditRoutes } from '@kelisim/domain/identity/permissions.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { withOneForm } from '@kelisim/domain/points/signature-form.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import type { Verdict } from '@kelisim/domain/routes/condition.ts'
import type { FoundFault } from '@kelisim/domain/routes/faults.ts'
import { mayDeleteRoute, mayEditRoute } from '@kelisim/domain/routes/permissions.ts'
import { rehearsalOf } from '@kelisim/domain/routes/rehearsal.ts'
import { changesBetween, type VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { pointInRoute, type PlacedPoint } from './placed-points.ts'
import type { RouteLineRow, RouteRow, VersionRow } from './queries.ts'

const { Private, Public } = visibilityScopes.members

export function scopeFrom(visibilityScope: number): VisibilityScope {
  return visibilityScope === Public ? 'common' : 'personal'
}

function onWire(scope: VisibilityScope): 1 | 2 {
  return scope === 'common' ? Public : Private
}

export function lineView(row: RouteLineRow, viewer: Viewer) {
  const { id, name, description, templateId, isActive, pointsCount, turnsCount } = row
  return {
    id,
    name,
    description,
    templateId,
    isActive,
    pointsCount,
    turnsCount,
    visibilityScope: onWire(row.scope),
    routeType: row.type,
    author: { userId: row.authorId, fullName: row.authorName },
    createdAt: row.createdAt.toISOString(),
    currentVersion: row.version,
    allowed: {
      edit: mayEditRoute(viewer, row),
      delete: mayDeleteRoute(viewer, row),
      copy: mayEditRoutes(viewer.roles, viewer.options),
    },
  }
}

export function routeView(row: RouteRow, points: PlacedPoint[], faults: FoundFault[], viewer: Viewer) {
  return {
    ...lineView(row, viewer),
    savedBy: row.savedBy,
    savedAt: row.savedAt.toISOString(),
    points: points.map((point) => pointView(point, row.organizationId)),
    faults,
  }
}

function pointView(point: PlacedPoint, organizationId: string) {
  const { scope, type, ...same } = pointInRoute(point, organizationId)
  return { ...same, type: pointTypes.of(type), visibilityScope: onWire(scope) }
}

export function rehearsalView(
  points: PlacedPoint[],
  faults: FoundFault[],
  organizationId: string,
  verdicts?: ReadonlyMap<string, Verdict>,
) {
  const turns = rehearsalOf(
    withOneForm(points.map((point) => pointInRoute(point, organizationId))),
    faults,
    verdicts,
  )
  return {
    turns: turns.map(({ order, steps }) => ({
      order,
      steps: steps.map((step) => ({ ...step, type: pointTypes.of(step.type) })),
    })),
    faults,
  }
}

export function versionView({ scope, savedAt, ...same }: VersionRow) {
  return { ...same, visibilityScope: onWire(scope), savedAt: savedAt.toISOString() }
}

export function changesView(before: VersionRow, after: VersionRow) {
  const [old, now] = [versionView(before), versionView(after)]
  const fields = (['name', 'description', 'visibilityScope', 'isActive'] as const).filter(
    (field) => old[field] !== now[field],
  )
  const kept = new Map([...before.points, ...after.points].map((point) => [point.pointId, point]))
  const points = changesBetween(before.points, after.points).map((change) => {
    const { name, type } = kept.get(change.pointId)!
    return { ...change, name, type }
  })
  return { before: old, after: now, fields, points }
}
