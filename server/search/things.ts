/** Loads the candidates that the viewer may see by the rule of their own page, with the fields shown there. */
import type { Db } from '@kelisim/db/db.ts'
import { maySee as maySeeDocument } from '@kelisim/domain/documents/permissions.ts'
import { maySeePoint } from '@kelisim/domain/points/point.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { maySee as maySeeRequest, seenOf } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { maySeeTemplate } from '@kelisim/domain/rich-text/permissions.ts'
import type { RouteKind } from '@kelisim/domain/routes/contract.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import type { SearchKind } from '@kelisim/domain/search/contract.ts'
import type { Fields } from '@kelisim/domain/search/ranking.ts'
import { findDocumentsAmong } from '../documents/queries.ts'
import type { Caller } from '../http/serve.ts'
import { findPointsAmong } from '../points/queries.ts'
import { findRegistrations } from '../registers/core/queries.ts'
import { shownRegistrations } from '../registers/core/register.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { Party } from '../requests/core/party.ts'
import { findRequestsAmong } from '../requests/core/state.ts'
import { hiddenPoints } from '../requests/reading/handlers.ts'
import { findTemplatesAmong } from '../rich-text/queries.ts'
import { findRoutesAmong } from '../routes/queries.ts'
import { findPeopleAmong } from './queries/things.ts'

/** A side of a request other than the viewer's, or the organisation of an external point. */
export type Counterparty = { bin: string; name: string }

export type FoundThing = {
  id: string
  title: string
  note: string
  status: number | null
  fields: Fields
  parties: Counterparty[]
}

export type ThingViewer = { who: Caller<'member'>; party: Party }

export function loadThings(
  db: Db,
  kind: Exclude<SearchKind, 'counterparty'>,
  ids: readonly string[],
  { who, party }: ThingViewer,
): Promise<FoundThing[]> {
  switch (kind) {
    case 'request':
      return loadRequests(db, ids, party)
    case 'document':
      return loadDocuments(db, ids, who)
    case 'template':
      return loadTemplates(db, ids, who)
    case 'route':
      return loadRoutes(db, 'route', ids, who)
    case 'routeTemplate':
      return loadRoutes(db, 'template', ids, who)
    case 'point':
      return loadPoints(db, ids, who)
    case 'person':
      return loadPeople(db, ids, who)
  }
}

async function loadRequests(db: Db, ids: readonly string[], { viewer }: Party): Promise<FoundThing[]> {
  const [loaded, numbers] = await Promise.all([findRequestsAmong(db, ids), findRegistrations(db, ids)])
  return loaded
    .filter(({ row, request }) => maySeeRequest(seenOf(row, request), viewer))
    .map((one) => {
      const { row } = one
      const parties = partiesOf(one, viewer)
      const isOurs = row.organizationId === viewer.organizationId
      const { registration, ownRegistration } = shownRegistrations(
        numbers.get(row.id),
        row.organizationId,
        viewer.organizationId,
      )
      const shown = new Set([ownRegistration?.number ?? [], registration?.number ?? []].flat())
      return {
        id: row.id,
        title: row.name,
        note: (isOurs ? parties[0]?.name : row.senderName) ?? '',
        status: row.status,
        fields: [
          { field: 'name', text: row.name },
          ...[...shown].map((text) => ({ field: 'number', text }) as const),
          ...parties.map(({ name, bin }) => ({ field: 'party', text: `${name} ${bin}` }) as const),
          { field: 'party', text: `${row.senderName} ${row.senderBin}` },
          { field: 'file', text: row.fileName },
          { field: 'description', text: row.description },
        ],
        parties: [
          ...(isOurs ? [] : [{ bin: row.senderBin, name: row.senderName }]),
          ...parties.filter(({ isOwn }) => !isOwn),
        ],
      }
    })
}

/** The counterparties at points that the viewer may see. */
function partiesOf({ row, request, signing }: LoadedRequest, viewer: Party['viewer']) {
  const hidden = hiddenPoints({ row, request }, viewer)
  return signing
    .filter(({ type, pointId, bin }) => {
      const isOutside = sideOf(typeOf(type)!) !== 'internal'
      return isOutside && bin !== '' && !hidden.includes(pointId)
    })
    .map(({ bin, organizationName, actsForId }) => ({
      bin,
      name: organizationName,
      isOwn: actsForId === viewer.organizationId,
    }))
}

async function loadDocuments(db: Db, ids: readonly string[], who: Caller<'member'>): Promise<FoundThing[]> {
  const rows = await findDocumentsAmong(db, who.member.organizationId, ids)
  return rows
    .filter((row) => maySeeDocument({ ...row, isInLiveRequest: false }, who))
    .map((row) => thing(row, row.authorName))
}

async function loadTemplates(db: Db, ids: readonly string[], who: Caller<'member'>): Promise<FoundThing[]> {
  const rows = await findTemplatesAmong(db, who.member.organizationId, ids)
  return rows.filter((row) => maySeeTemplate(row, who)).map((row) => thing(row, row.authorName))
}

async function loadRoutes(
  db: Db,
  kind: RouteKind,
  ids: readonly string[],
  who: Caller<'member'>,
): Promise<FoundThing[]> {
  const rows = await findRoutesAmong(db, who.member.organizationId, kind, ids)
  const viewer = { userId: who.userId, roles: who.member.roles, options: who.member.options }
  return rows.filter((row) => maySeeRoute(viewer, row)).map((row) => thing(row, row.authorName))
}

async function loadPoints(db: Db, ids: readonly string[], who: Caller<'member'>): Promise<FoundThing[]> {
  const rows = await findPointsAmong(db, [...ids])
  const viewer = { userId: who.userId, roles: who.member.roles, options: who.member.options }
  return rows
    .filter((row) => row.organizationId === who.member.organizationId && maySeePoint(viewer, row))
    .map((row) => {
      const { bin, organizationName } = row
      const found = thing(row, bin === null ? (row.groupName ?? '') : organizationName)
      if (bin === null) return found
      return {
        ...found,
        fields: [...found.fields, { field: 'party', text: `${organizationName} ${bin}` }],
        parties: [{ bin, name: organizationName }],
      }
    })
}

async function loadPeople(db: Db, ids: readonly string[], who: Caller<'member'>): Promise<FoundThing[]> {
  const rows = await findPeopleAmong(db, who.member.organizationId, ids)
  return rows.map(({ id, fullName, email, login }) => ({
    id,
    title: fullName,
    note: email,
    status: null,
    fields: [
      { field: 'name', text: fullName },
      { field: 'contact', text: email },
      { field: 'contact', text: login },
    ],
    parties: [],
  }))
}

function thing(
  { id, name, description }: { id: string; name: string; description: string },
  note: string,
): FoundThing {
  return {
    id,
    title: name,
    note,
    status: null,
    fields: [
      { field: 'name', text: name },
      { field: 'description', text: description },
    ],
    parties: [],
  }
}
