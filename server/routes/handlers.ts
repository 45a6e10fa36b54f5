/** Routes and route templates: lists, changes, activation, copies, deletion and validation. */
import { isForeignKeyViolation, type Db, type Tx } from '@kelisim/db/db.ts'
import { refuse, type Alias } from '@kelisim/domain/errors.ts'
import { mayEditRoutes, reachesRoles } from '@kelisim/domain/identity/permissions.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import type { Viewer } from '@kelisim/domain/points/point.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import {
  addRouteFromTemplate,
  callsByKind,
  rehearse,
  routeAliases,
  routeKinds,
  validatePoints,
  type RouteKind,
} from '@kelisim/domain/routes/contract.ts'
import {
  looksAfterRoutes,
  mayDeleteRoute,
  mayEditRoute,
  maySeeRoute,
} from '@kelisim/domain/routes/permissions.ts'
import { withoutRepeats, type VisibilityScope } from '@kelisim/domain/routes/route.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import type { Uses } from '@kelisim/domain/uses/contract.ts'
import { keepDeleted } from '../deletions/queries.ts'
import type { Http } from '../http/open.ts'
import type { Caller, Serve } from '../http/serve.ts'
import { findRoutes, type Piece } from './list-queries.ts'
import { faultsOf, placedPoints, pointsWithinReach } from './placed-points.ts'
import {
  deleteRouteRow,
  findRoute,
  findVersion,
  lockRoute,
  switchRouteRow,
  type RouteRow,
  type VersionRow,
} from './queries.ts'
import { addRoute, keptPoint, saveRoute, placingsOf, type RouteInput, type WantedPoint } from './saving.ts'
import { changesView, lineView, rehearsalView, routeView, scopeFrom, versionView } from './views.ts'

/** Which of these routes belong to unfinished requests; implemented by the slice of requests. */
export type RoutesInUse = (db: Db, routeIds: readonly string[]) => Promise<ReadonlySet<string>>

/** What prevents the deletion of a route or template, as the caller may see it. */
export type UsesOfRoute = (
  db: Db,
  looking: { who: Caller<'member'>; now: Date },
  route: { kind: RouteKind; id: string },
) => Promise<Uses>

export type RouteUses = { routesInUse: RoutesInUse; usesOf: UsesOfRoute }

export function openRoutes({ serve }: Http, parts: RouteUses): void {
  for (const kind of routeKinds) {
    readingHandlers(serve, kind)
    writingHandlers(serve, kind, parts)
  }

  serve(addRouteFromTemplate, ({ input, who, now, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    if (!mayEditRoutes(viewer.roles, viewer.options)) refuse('not-enough-permissions')
    return write(async (tx) => {
      const template = await usableTemplate(tx, organizationId, input.templateId, viewer)
      const copied = await copyOf(tx, template, input, viewer)
      const route = { organizationId, kind: 'route' as const, templateId: template.id }
      return shown(tx, 'route', organizationId, await addRoute(tx, route, copied, { viewer, now }), viewer)
    })
  })

  serve(validatePoints, async ({ input: { pointsId, visibilityScope = 1 }, who, db }) => {
    const viewer = viewerOf(who)
    const scope = scopeFrom(visibilityScope)
    const whose = { organizationId: who.member.organizationId, authorId: who.userId, scope }
    const wanted = withoutRepeats(pointsId.map((pointId) => ({ pointId, order: 1 })))
    const { points, missing } = await pointsWithinReach(db, placingsOf(wanted, []), whose, viewer)
    const faults = [
      ...(missing.length > 0 ? [{ fault: 'points-not-found' as const, pointIds: missing }] : []),
      ...(points.length > 0 || missing.length === 0 ? faultsOf(whose, points) : []),
    ]
    return { isValid: faults.length === 0, faults }
  })

  serve(rehearse, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const whose = { organizationId, authorId: who.userId, scope: scopeFrom(input.visibilityScope) }
    const { points, missing } = await pointsWithinReach(
      db,
      placingsOf(withoutRepeats(input.points), []),
      whose,
      viewerOf(who),
    )
    if (missing.length > 0) refuse('points-not-found', { pointIds: missing })
    return rehearsalView(points, faultsOf(whose, points), organizationId)
  })
}

function readingHandlers(serve: Serve, kind: RouteKind): void {
  const calls = callsByKind[kind]
  const { missing } = routeAliases[kind]

  serve(calls.list, async ({ input, who, db }) => {
    const { organizationId, roles: mine } = who.member
    const role = input.userRole ?? 0
    if (!reachesRoles(mine, role)) refuse('roles-filter')
    const ownScope = input.ownScope || listOwners.all
    const { items, totalCount } = await findRoutes(db, {
      organizationId,
      kind,
      sort: input.sort,
      skip: input.skip,
      take: input.take,
      pieces: piecesOf(who.userId, {
        seesAll: roles.has(role, 'Owner'),
        ownScope,
        visibilityScope: input.visibilityScope || visibilityScopes.all,
        isActive: input.isActive,
      }),
      exceptAuthor: listOwners.has(ownScope, 'My') ? null : who.userId,
      name: input.name ?? '',
    })
    const viewer = viewerOf(who)
    return { totalCount, items: items.map((row) => lineView(row, viewer)) }
  })

  serve(calls.get, async ({ input, who, db }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    return viewOf(db, seen(await findRoute(db, organizationId, kind, input.routeId), viewer, missing), viewer)
  })

  serve(calls.validate, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const route = seen(await findRoute(db, organizationId, kind, input.routeId), viewerOf(who), missing)
    const faults = [
      ...(route.isActive ? [] : [{ fault: 'unsuccessful_route_state' as const, pointIds: [] }]),
      ...faultsOf(route, await placedPoints(db, route.points)),
    ]
    return { isValid: faults.length === 0, faults }
  })

  serve(calls.rehearseSaved, async ({ input, who, db }) => {
    const { organizationId } = who.member
    const route = seen(await findRoute(db, organizationId, kind, input.routeId), viewerOf(who), missing)
    const points = await placedPoints(db, route.points)
    return rehearsalView(points, faultsOf(route, points), organizationId)
  })

  serve(calls.version, async ({ input, who, db }) => {
    const viewer = viewerOf(who)
    const route = seen(await findRoute(db, who.member.organizationId, kind, input.routeId), viewer, missing)
    return versionView(await seenVersion(db, route, input.version, viewer, missing))
  })

  serve(calls.changes, async ({ input, who, db }) => {
    const viewer = viewerOf(who)
    const route = seen(await findRoute(db, who.member.organizationId, kind, input.routeId), viewer, missing)
    const before = await seenVersion(db, route, input.since, viewer, missing)
    return changesView(before, await seenVersion(db, route, route.version, viewer, missing))
  })
}

function writingHandlers(serve: Serve, kind: RouteKind, { routesInUse, usesOf }: RouteUses): void {
  const calls = callsByKind[kind]
  const { missing, missingNamed, missingByCreator, activation, removal } = routeAliases[kind]

  serve(calls.add, ({ input, who, now, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    if (!mayEditRoutes(viewer.roles, viewer.options)) refuse('not-enough-permissions')
    return write(async (tx) => {
      const templateId = kind === 'route' ? input.templateId : null
      if (templateId !== null) await usableTemplate(tx, organizationId, templateId, viewer)
      const id = await addRoute(tx, { organizationId, kind, templateId }, routeInputOf(input), {
        viewer,
        now,
      })
      return shown(tx, kind, organizationId, id, viewer)
    })
  })

  serve(calls.save, ({ input, who, now, write }) =>
    changed(write, who, input, missingNamed, (tx, route, viewer) =>
      saveRoute(tx, route, routeInputOf(input), { viewer, now }),
    ),
  )

  serve(calls.activate, ({ input, who, now, write }) =>
    changed(write, who, { ...input, id: input.routeId }, missing, async (tx, route) => {
      if (route.isActive) return
      const points = await placedPoints(tx, route.points)
      const faults = faultsOf(route, points)
      if (faults.length > 0) refuse(activation, { faults })
      await switchRouteRow(tx, route, true, points.map(keptPoint), { by: who.userId, at: now })
    }),
  )

  serve(calls.deactivate, ({ input, who, now, write }) =>
    changed(write, who, { ...input, id: input.routeId }, missing, async (tx, route) => {
      if (!route.isActive) return
      const points = await placedPoints(tx, route.points)
      await switchRouteRow(tx, route, false, points.map(keptPoint), { by: who.userId, at: now })
    }),
  )

  serve(calls.copy, ({ input, who, now, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    if (!mayEditRoutes(viewer.roles, viewer.options)) refuse('not-enough-permissions')
    return write(async (tx) => {
      const source = seen(await findRoute(tx, organizationId, kind, input.routeId), viewer, missing)
      const route = { organizationId, kind, templateId: null }
      const id = await addRoute(tx, route, await copyOf(tx, source, input, viewer), { viewer, now })
      return shown(tx, kind, organizationId, id, viewer)
    })
  })

  serve(calls.remove, async ({ input: { routeId }, who, now, db, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    try {
      return await write(async (tx) => {
        // People who do not administer routes can only delete their own.
        const none = looksAfterRoutes(viewer) ? missing : missingByCreator
        const route = seen(await lockRoute(tx, organizationId, kind, routeId), viewer, none)
        if (!mayDeleteRoute(viewer, route)) refuse('not-enough-permissions')
        if ((await routesInUse(tx, [routeId])).has(routeId)) {
          refuse(removal, await usesOf(tx, { who, now }, { kind, id: routeId }))
        }
        const deletionId = await keepDeleted(tx, {
          kind: kind === 'template' ? 'routeTemplate' : 'route',
          id: routeId,
          organizationId,
          by: who.userId,
          at: now,
        })
        await deleteRouteRow(tx, routeId)
        return { deletionId }
      })
    } catch (error) {
      // Foreign keys of its users prevent the deletion even under concurrency.
      if (!isForeignKeyViolation(error)) throw error
      return refuse(removal, await usesOf(db, { who, now }, { kind, id: routeId }))
    }
  })

  /** Changes an existing route: it must be visible, allowed and of the seen version. */
  function changed(
    write: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
    who: Caller<'member'>,
    { id, currentVersion }: { id: string; currentVersion: number },
    none: Alias,
    change: (tx: Tx, route: RouteRow, viewer: Viewer) => Promise<void>,
  ) {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    return write(async (tx) => {
      const route = seen(await lockRoute(tx, organizationId, kind, id), viewer, none)
      if (!mayEditRoute(viewer, route)) refuse('not-enough-permissions')
      if (route.version !== currentVersion) refuse('outdated-route', { currentVersion: route.version })
      await change(tx, route, viewer)
      return shown(tx, kind, organizationId, id, viewer)
    })
  }
}

/** The index ranges of routes that the viewer may see and asked for. */
export function piecesOf(
  userId: string,
  wanted: { seesAll: boolean; ownScope: number; visibilityScope: number; isActive: boolean | undefined },
): Piece[] {
  const isOwnOnly = !listOwners.has(wanted.ownScope, 'Other')
  const states = wanted.isActive === undefined ? [true, false] : [wanted.isActive]
  const authorsOf = (scope: VisibilityScope): (string | null)[] => {
    if (isOwnOnly) return [userId]
    if (scope === 'common' || wanted.seesAll) return [null]
    return listOwners.has(wanted.ownScope, 'My') ? [userId] : []
  }
  return visibilityScopes.list(wanted.visibilityScope).flatMap((name) => {
    const scope = name === 'Public' ? 'common' : 'personal'
    return authorsOf(scope).flatMap((authorId) => states.map((isActive) => ({ authorId, scope, isActive })))
  })
}

function viewerOf(who: Caller<'member'>): Viewer {
  return { userId: who.userId, roles: who.member.roles, options: who.member.options }
}

/** A personal route of somebody else is refused like a missing one. */
function seen(route: RouteRow | undefined, viewer: Viewer, missing: Alias): RouteRow {
  return route && maySeeRoute(viewer, route) ? route : refuse(missing)
}

/** Versions from when the route was personal stay visible to its author only. */
async function seenVersion(
  db: Db,
  { id, authorId }: RouteRow,
  version: number,
  viewer: Viewer,
  missing: Alias,
): Promise<VersionRow> {
  const row = await findVersion(db, id, version)
  return row && maySeeRoute(viewer, { authorId, scope: row.scope }) ? row : refuse(missing)
}

/** Locked, so that it stays active until the transaction ends. */
async function usableTemplate(tx: Tx, organizationId: string, templateId: string, viewer: Viewer) {
  const template = await lockRoute(tx, organizationId, 'template', templateId)
  const visible = seen(template, viewer, 'route-template-not-found')
  return visible.isActive ? visible : refuse('unavailable-route')
}

type Form = { name: string; visibilityScope: number; removePersonalPoints: boolean }

function routeInputOf(input: Form & { description: string; points: readonly WantedPoint[] }): RouteInput {
  const { name, description, points, removePersonalPoints } = input
  return { name, description, points, removePersonalPoints, scope: scopeFrom(input.visibilityScope) }
}

/** Personal points of others are left out of a copy if the person agrees. */
async function copyOf(tx: Tx, source: RouteRow, form: Form, viewer: Viewer): Promise<RouteInput> {
  const points = await placedPoints(tx, source.points)
  const others = points.filter(({ scope, authorId }) => scope === 'personal' && authorId !== viewer.userId)
  if (others.length > 0 && !form.removePersonalPoints) {
    refuse('common-route-with-personal-points', { pointIds: others.map(({ pointId }) => pointId) })
  }
  const own = points
    .filter((point) => !others.includes(point))
    .map((point) => ({ ...point, escalation: point.escalation?.name ? point.escalation : null }))
  return routeInputOf({ ...form, description: source.description, points: own })
}

async function shown(tx: Tx, kind: RouteKind, organizationId: string, id: string, viewer: Viewer) {
  return viewOf(tx, (await findRoute(tx, organizationId, kind, id))!, viewer)
}

async function viewOf(db: Db, route: RouteRow, viewer: Viewer) {
  const points = await placedPoints(db, route.points)
  return routeView(route, points, faultsOf(route, points), viewer)
}
