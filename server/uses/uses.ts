/** The uses of something: those that the caller may see, by the rules of their pages, and the number of others. */
import type { Db } from '@kelisim/db/db.ts'
import { maySee as maySeeRequest, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import type { Use, UsedKind, Uses } from '@kelisim/domain/uses/contract.ts'
import type { Caller } from '../http/serve.ts'
import { partyOf } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import {
  findRequestsWith,
  findRoutesOfTemplate,
  findRoutesWithPoint,
  type UsesPage,
  type UsingRoute,
} from './queries.ts'

/** How many uses are listed: enough to recognise where something is used. */
const listed = 5
/** How many uses are examined to find the listed ones: enough unless almost all belong to other people. */
const looked = 50

type UsesCaller = { who: Caller<'member'>; now: Date }

/** `isBlockingOnly`: only uses that prevent the deletion. */
export function usesOf(
  db: Db,
  caller: UsesCaller,
  { kind, id }: { kind: UsedKind; id: string },
  { isBlockingOnly = false } = {},
): Promise<Uses> {
  const requests = { isUnfinishedOnly: isBlockingOnly, limit: looked }
  const { organizationId } = caller.who.member
  switch (kind) {
    case 'document':
      return findRequestsWith(db, 'documentId', id, requests).then((all) => requestUses(db, caller, all))
    case 'route':
      return findRequestsWith(db, 'routeId', id, requests).then((all) => requestUses(db, caller, all))
    case 'point':
      return findRoutesWithPoint(db, id, { isCommonOnly: false, limit: looked }).then((all) =>
        routeUses(caller, all),
      )
    case 'routeTemplate':
      return findRoutesOfTemplate(db, organizationId, id, looked).then((all) => routeUses(caller, all))
  }
}

/** The common routes and templates with a point, because of which the point cannot become personal. */
export async function commonUsesOfPoint(db: Db, caller: UsesCaller, pointId: string): Promise<Uses> {
  return routeUses(caller, await findRoutesWithPoint(db, pointId, { isCommonOnly: true, limit: looked }))
}

function routeUses({ who }: UsesCaller, { items, totalCount }: UsesPage<UsingRoute>): Uses {
  const { organizationId, roles, options } = who.member
  const viewer = { userId: who.userId, roles, options }
  const seen = items.filter((route) => route.organizationId === organizationId && maySeeRoute(viewer, route))
  const uses = seen.slice(0, listed).map(({ id, kind, name }): Use => {
    return { kind: kind === 'template' ? 'routeTemplate' : 'route', id, name, status: null }
  })
  return { uses, more: totalCount - uses.length }
}

async function requestUses(
  db: Db,
  { who, now }: UsesCaller,
  { items, totalCount }: UsesPage<string>,
): Promise<Uses> {
  const { viewer } = await partyOf(db, who, now)
  const loaded = new Map((await findRequestsAmong(db, items)).map((one) => [one.row.id, one]))
  const seen = items.flatMap((id) => {
    const one = loaded.get(id)
    return one && maySeeRequest(seenOf(one.row, one.request), viewer) ? [one.row] : []
  })
  const uses = seen.slice(0, listed).map(({ id, name, status }): Use => {
    return { kind: 'request', id, name, status }
  })
  return { uses, more: totalCount - uses.length }
}
