/** Where a viewer may look: the ranges of their own lists, as the lists themselves read them. */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { pointTypes, selectableMask } from '@kelisim/domain/points/point-types.ts'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import type { SearchKind } from '@kelisim/domain/search/contract.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { documentsQuery } from '../../documents/queries.ts'
import type { ListQuery } from '../../lists/page-queries.ts'
import { piecesOf as pointPieces } from '../../points/handlers.ts'
import { pointsQuery } from '../../points/queries.ts'
import {
  findInboxes,
  incomingPieces,
  outgoingPiece,
  type Inboxes,
} from '../../requests/reading/queries/lists.ts'
import { piecesOf as templatePieces } from '../../rich-text/handlers.ts'
import { templatesQuery } from '../../rich-text/list-queries.ts'
import { piecesOf as routePieces } from '../../routes/handlers.ts'
import { routesQuery } from '../../routes/list-queries.ts'
import type { Branch, Source } from './candidates.ts'

export type SearchViewer = { userId: string; organizationId: string; roles: number; inboxes: Inboxes }

export async function viewerOf(db: Db, who: Omit<SearchViewer, 'inboxes'>, now: Date): Promise<SearchViewer> {
  return { ...who, inboxes: await findInboxes(db, who, now) }
}

/**
 * The keys by which the index tells what the viewer may find; see `search_keys` and `search_rows` in the migration.
 */
export function keysOf({ userId, organizationId, roles, inboxes }: SearchViewer): string[] {
  return [
    `@p${organizationId}`,
    `@a${organizationId}${userId}`,
    ...(isOwner(roles) ? [`@o${organizationId}`] : []),
    ...[...inboxes.own, ...inboxes.absent].map((inbox) => `@i${inbox}`),
  ]
}

/** The keys by which the index tells which texts somebody of the viewer's organisation may find. */
export function textKeysOf({ organizationId, inboxes }: SearchViewer): string[] {
  return [`@o${organizationId}`, ...[...inboxes.own, ...inboxes.absent].map((inbox) => `@i${inbox}`)]
}

/** The order and the page of a list do not matter here. */
const anyPage = { name: '', sort: '-created', skip: 0, take: 1 } as const

export function sourceOf(kind: Exclude<SearchKind, 'counterparty'>, viewer: SearchViewer): Source {
  switch (kind) {
    case 'request':
      return { kind, branches: requestBranches(viewer), fileTable: 'signing_requests' }
    case 'document':
      return { kind, branches: documentQueries(viewer).flatMap(branchesOf), fileTable: 'documents' }
    case 'template':
      return { kind, branches: branchesOf(templateQuery(viewer)), fileTable: null }
    case 'route':
      return { kind, branches: branchesOf(routeQuery('route', viewer)), fileTable: null }
    case 'routeTemplate':
      return { kind, branches: branchesOf(routeQuery('template', viewer)), fileTable: null }
    case 'point':
      return { kind, branches: branchesOf(pointQuery(viewer)), fileTable: null }
    case 'person':
      return { kind, branches: [memberBranch(viewer)], fileTable: null }
  }
}

function requestBranches(viewer: SearchViewer): Branch[] {
  const { userId, organizationId, roles } = viewer
  const whose = { authorId: isOwner(roles) ? null : userId, exceptAuthor: null }
  return [
    {
      table: 'signing_requests',
      id: 'id',
      at: 'created_at',
      condition: outgoingPiece(organizationId, whose),
    },
    ...incomingPieces(viewer).map((condition) => ({
      table: 'request_inboxes',
      id: 'request_id',
      at: 'arrived_at',
      condition,
    })),
  ]
}

function documentQueries({ userId, organizationId, roles }: SearchViewer): ListQuery[] {
  const paths = isOwner(roles) ? (['organization'] as const) : (['my', 'public'] as const)
  return paths.map((path) => documentsQuery({ ...anyPage, organizationId, userId, path }))
}

function templateQuery({ userId, organizationId, roles }: SearchViewer): ListQuery {
  const pieces = templatePieces('all', { userId, member: { roles } })
  return templatesQuery({ ...anyPage, organizationId, pieces })
}

function routeQuery(kind: RouteKind, { userId, organizationId, roles }: SearchViewer): ListQuery {
  const pieces = routePieces(userId, {
    seesAll: isOwner(roles),
    ownScope: listOwners.all,
    visibilityScope: visibilityScopes.all,
    isActive: undefined,
  })
  return routesQuery({ ...anyPage, organizationId, kind, pieces, exceptAuthor: null })
}

function pointQuery({ userId, organizationId, roles }: SearchViewer): ListQuery {
  const pieces = pointPieces(userId, {
    seesAll: isOwner(roles),
    ownScope: listOwners.all,
    scopes: ['common', 'personal'],
  })
  return pointsQuery({
    ...anyPage,
    organizationId,
    pieces,
    types: pointTypes.list(selectableMask).map((type) => pointTypes.of(type)),
    exceptAuthor: null,
    bin: null,
    isActive: null,
  })
}

/** Every member sees the people of the organisation. */
function memberBranch({ organizationId }: SearchViewer): Branch {
  const condition = sql`l.organization_id = ${organizationId}`
  return { table: 'memberships', id: 'user_id', at: 'joined_at', condition }
}

function branchesOf({ table, conditions, pieces }: ListQuery): Branch[] {
  return pieces.map((piece) => ({
    table,
    id: 'id',
    at: 'created_at',
    condition: sql.join([...conditions, ...piece], sql` and `),
  }))
}
