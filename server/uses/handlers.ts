/** Where something is used, for its page; only people who may open the page get this. */
import type { Db } from '@kelisim/db/db.ts'
import { maySee as maySeeDocument } from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { maySeePoint } from '@kelisim/domain/points/point.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import { getUses, type UsedKind } from '@kelisim/domain/uses/contract.ts'
import { findDocument } from '../documents/queries.ts'
import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import { findPoint } from '../points/queries.ts'
import { findRoute } from '../routes/queries.ts'
import { usesOf } from './uses.ts'

export function openUses({ serve }: Http): void {
  serve(getUses, async ({ input: { kind, id }, who, db, now }) => {
    await mayBeSeen(db, who, kind, id)
    return usesOf(db, { who, now }, { kind, id })
  })
}

async function mayBeSeen(db: Db, who: Caller<'member'>, kind: UsedKind, id: string): Promise<void> {
  const { organizationId, roles, options } = who.member
  const viewer = { userId: who.userId, roles, options }
  switch (kind) {
    case 'document': {
      const document = await findDocument(db, organizationId, id)
      if (!document || !maySeeDocument({ ...document, isInLiveRequest: false }, who)) {
        refuse('document-not-found')
      }
      return
    }
    case 'point': {
      const point = await findPoint(db, organizationId, id)
      if (!point || !maySeePoint(viewer, point)) refuse('point-not-found')
      return
    }
    case 'route': {
      const route = await findRoute(db, organizationId, 'route', id)
      if (!route || !maySeeRoute(viewer, route)) refuse('route-not-found')
      return
    }
    case 'routeTemplate': {
      const template = await findRoute(db, organizationId, 'template', id)
      if (!template || !maySeeRoute(viewer, template)) refuse('route-template-not-found')
      return
    }
  }
}
