/**
 * Sending: everything that could fail later is tried first, then the route is copied into the request as it is now. What
 * is changed in the route or its points after that changes nothing here.
 */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { Refusal, refuse, type Alias, type Parameters } from '@kelisim/domain/errors.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { pointTypes, sideOf } from '@kelisim/domain/points/point-types.ts'
import { whyNotSendTo } from '@kelisim/domain/points/point.ts'
import { decide } from '@kelisim/domain/requests/life-cycle.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { findClassifiersAmong } from '../../classifiers/queries.ts'
import { findDocument, type DocumentRow } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import { findGroup } from '../../portal/group-queries.ts'
import { findReceiver } from '../../points/receivers.ts'
import { faultsOf, lockPoints, placedPoints, type PlacedPoint } from '../../routes/placed-points.ts'
import { findRoute, lockRoute, type RouteRow } from '../../routes/queries.ts'
import { countOneMore, isUsedUp, usageOf } from '../../subscriptions/quota.ts'
import { logEvents } from '../../transparency/log.ts'
import { holdGroups } from '../core/awaited-groups.ts'
import type { Party } from '../core/party.ts'
import { findRequest, lockedRequest, saveEvents } from '../core/state.ts'
import type { Loaded } from '../core/loaded.ts'

export type Sender = {
  organizationId: string
  userId: string
  member: { organizationId: string; roles: number; options: OrganizationOptions }
}

/** A point as it goes into the request. */
export type SentPoint = {
  pointId: string
  order: number
  type: (typeof pointTypes.names)[number]
  name: string
  organizationId: string | null
  groupId: string | null
  bin: string
  organizationName: string
  emails: string[]
  responsible: string[]
  condition: 'any' | 'all'
  isEdsRequired: boolean
}

/** Refuses a document of which no printable one could be made; its bytes are at `path`. */
export type RefuseUnprintable = (
  document: Pick<DocumentRow, 'fileId' | 'format'>,
  path: string,
) => Promise<void>

export type Papers = { storage: Storage; refuseUnprintable: RefuseUnprintable }

/** The document as the sender may see it, its bytes as they came and fit to be printed when all have signed. */
export async function sendableDocument(
  db: Db,
  { storage, refuseUnprintable }: Papers,
  sender: Sender,
  documentId: string,
): Promise<DocumentRow> {
  const document = await findDocument(db, sender.organizationId, documentId)
  if (!document || !maySee({ ...document, isInLiveRequest: false }, sender)) refuse('document-not-found')
  const { fileId: id, organizationId, sha256, size } = document
  const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
  try {
    await refuseUnprintable(document, borrowed.path)
  } finally {
    await borrowed.giveBack()
  }
  return document
}

/** Refuses with the first of what is wrong with it as things stand now. */
export function sendableRoute(
  route: RouteRow | undefined,
  points: readonly PlacedPoint[],
  sender: Sender,
  seenVersion: number | undefined,
): RouteRow {
  const viewer = { userId: sender.userId, ...sender.member }
  if (!route || !maySeeRoute(viewer, route)) return refuse('route-not-found')
  if (!route.isActive) refuse('unavailable-route')
  if (seenVersion !== undefined && seenVersion !== route.version) {
    refuse('outdated-route', { currentVersion: route.version })
  }
  const faults = faultsOf(route, points)
  const [first] = faults
  if (first) {
    // A saved route has points in an order: what can be wrong is about them and those behind them.
    const { fault, pointIds } = first
    const isOfForm = fault === 'no-signing-point' || fault === 'order-not-positive'
    refuse(isOfForm ? 'points-not-found' : fault, { pointIds, faults })
  }
  return route
}

export type Trial = { refusals: { alias: Alias; parameters: Parameters }[]; points: PlacedPoint[] }

/** All that would be refused, each by the same check that sending makes. */
export async function tryToSend(
  db: Db,
  papers: Papers,
  sender: Sender,
  { documentId, routeId, now }: { documentId: string; routeId: string; now: Date },
): Promise<Trial> {
  const found = await findRoute(db, sender.organizationId, 'route', routeId)
  // Who stands in it is told to nobody who does not see it.
  const route = found && maySeeRoute({ userId: sender.userId, ...sender.member }, found) ? found : undefined
  const points = await placedPoints(db, route?.points ?? [])
  const refusals = [
    await refusalOf(() => sendableDocument(db, papers, sender, documentId)),
    await refusalOf(async () => sendableRoute(route, points, sender, undefined)),
    await refusalOf(async () => {
      const usage = await usageOf(db, sender.organizationId, now)
      if (isUsedUp(usage)) refuse('organization-restricted', { used: usage.created, maximum: usage.maximum })
    }),
  ].flat()
  return { refusals, points }
}

async function refusalOf(attempt: () => Promise<unknown>): Promise<Trial['refusals']> {
  try {
    await attempt()
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ alias: error.alias, parameters: error.parameters }]
  }
}

/** The route locked, so that it is what was looked at when the request is written. */
export async function routeToSend(
  tx: Tx,
  sender: Sender,
  { routeId, routeVersion }: { routeId: string; routeVersion?: number | undefined },
): Promise<{ route: RouteRow; points: SentPoint[] }> {
  const found = await lockRoute(tx, sender.organizationId, 'route', routeId)
  const pointIds = found?.points.map(({ pointId }) => pointId) ?? []
  await lockPoints(tx, pointIds)
  await holdGroups(tx, await findGroupsBehind(tx, pointIds))
  const points = await placedPoints(tx, found?.points ?? [])
  const route = sendableRoute(found, points, sender, routeVersion)
  return { route, points: points.map(sentPoint) }
}

async function findGroupsBehind(tx: Tx, pointIds: readonly string[]): Promise<string[]> {
  if (pointIds.length === 0) return []
  const rows = await tx.selectFrom('points').select('groupId').where('id', 'in', pointIds).execute()
  return rows.flatMap(({ groupId }) => (groupId === null ? [] : [groupId]))
}

function sentPoint(point: PlacedPoint): SentPoint {
  const side = sideOf(point.type)
  return {
    pointId: point.pointId,
    order: point.order,
    type: point.type,
    name: point.name,
    organizationId: side === 'external' ? null : point.organizationId,
    groupId: side === 'external' ? null : point.groupId,
    bin: point.bin ?? point.ownBin,
    organizationName: side === 'external' ? point.organizationName : point.ownName,
    emails: point.emails,
    responsible: point.responsiblePersons.map(({ userId }) => userId),
    condition: point.agreementCondition,
    isEdsRequired: point.isEdsPresentationRequired,
  }
}

export type QuickRecipient = { groupId: string; bin: string; organizationName: string; emails: string[] }

/** A group of ours signs, then the number outside does. */
export async function quickPoints(
  tx: Tx,
  sender: Sender & { bin: string; shortName: string },
  { groupId, bin, organizationName, emails }: QuickRecipient,
): Promise<SentPoint[]> {
  await holdGroups(tx, [groupId])
  const group = await findGroup(tx, sender.organizationId, groupId)
  if (!group) refuse('group-not-found')
  if (group.participants.length === 0) refuse('group-empty')
  // Who sends quickly answers for what is signed: they are of the group that signs.
  if (!group.participants.some(({ userId }) => userId === sender.userId)) refuse('user-group-not-found')
  if (bin === sender.bin) refuse('recipient-is-own')
  const receiver = await findReceiver(tx, bin)
  const reason = whyNotSendTo('external', receiver, sender.organizationId)
  if (reason) refuse(reason)
  const none = { responsible: [], condition: 'any', isEdsRequired: false } as const
  return [
    {
      pointId: newId(),
      order: 1,
      type: 'QuickCompanyInternalSign',
      name: group.name,
      organizationId: sender.organizationId,
      groupId,
      bin: sender.bin,
      organizationName: sender.shortName,
      emails: [],
      ...none,
      responsible: [],
    },
    {
      pointId: newId(),
      order: 2,
      type: 'QuickExternalSign',
      name: receiver?.name ?? organizationName,
      organizationId: null,
      groupId: null,
      bin,
      organizationName: receiver?.name ?? organizationName,
      emails,
      ...none,
      responsible: [],
    },
  ]
}

export type NewRequest = {
  id: string
  document: DocumentRow
  route: { id: string | null; name: string }
  isQuick: boolean
  /** By somebody without an account. */
  isFromLanding?: boolean
  points: readonly SentPoint[]
  name: string
  description: string
  signingDate: string | undefined
  isTimestampRequired: boolean
  language: Language
  additionalComponents: number
  accessCodeExpiresOn: string | null
  classifierIds: readonly string[]
  address: string
}

/** Makes it and starts it at once: a request is never seen standing still. */
export async function addRequest(
  tx: Tx,
  { member, userId }: { userId: string; member: Pick<Sender['member'], 'organizationId'> },
  party: Party,
  given: NewRequest,
  now: Date,
): Promise<Loaded> {
  const { organizationId } = member
  const { document, route, points, classifierIds, address, signingDate, ...same } = given
  const known = await findClassifiersAmong(tx, organizationId, [...classifierIds])
  if (known.length < classifierIds.length) refuse('classificator-not-found')
  await countOneMore(tx, organizationId, now)
  await tx
    .insertInto('signingRequests')
    .values({
      ...same,
      organizationId,
      authorId: userId,
      documentId: document.id,
      fileId: document.fileId,
      fileName: document.name,
      format: document.format,
      routeId: route.id,
      routeName: route.name,
      signingDate: signingDate ?? dateInAlmaty(now),
      status: requestStatuses.of('New'),
      lockBy: null,
      lockName: null,
      lockUntil: null,
      lockHeld: null,
      createdAt: now,
      changedAt: now,
      statusChangedAt: now,
      eventsCount: 1,
    })
    .execute()
  await addPoints(tx, given.id, points)
  if (classifierIds.length > 0) {
    const rows = classifierIds.map((classifierId) => ({ requestId: given.id, classifierId }))
    await tx.insertInto('requestClassifiers').values(rows).execute()
  }
  await writeSent(tx, given.id, party, address, now)
  const loaded = (await lockedRequest(tx, given.id))!
  const events = decide(loaded.request, { type: 'start' }, now)
  await saveEvents(tx, loaded, events, { actor: null, address: null, comment: '' }, now)
  return (await findRequest(tx, given.id))!
}

async function addPoints(tx: Tx, requestId: string, points: readonly SentPoint[]): Promise<void> {
  const rows = points.map(({ type, ...point }) => ({
    ...point,
    requestId,
    attempt: 0,
    type: pointTypes.of(type),
    status: pointStatuses.InQueue,
    reason: null,
    pendingSignature: null,
    pendingBy: null,
    turnCameAt: null,
    doneAt: null,
  }))
  await tx.insertInto('requestPoints').values(rows).execute()
}

/** The first line of every history. */
async function writeSent(
  tx: Tx,
  requestId: string,
  { actor }: Party,
  address: string,
  now: Date,
): Promise<void> {
  const status = requestStatuses.of('New')
  await tx
    .insertInto('requestEvents')
    .values({
      requestId,
      number: 1,
      at: now,
      type: 'sent',
      attempt: 0,
      pointId: null,
      actor: JSON.stringify(actor),
      address,
      comment: '',
      data: JSON.stringify({}),
      before: status,
      after: status,
    })
    .execute()
  await logEvents(tx, { requestId, first: 1, last: 1 })
}
