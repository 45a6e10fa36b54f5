/**
 * Sending: everything that could fail later is checked first, then the route is copied into the request. Later changes of
 * the route or its points do not affect the request.
 */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { Refusal, refuse, type Alias, type Parameters } from '@kelisim/domain/errors.ts'
import type { OrganizationOptions } from '@kelisim/domain/options/options.ts'
import { keyRuleOf, type KeyRule } from '@kelisim/domain/points/key-holder.ts'
import {
  formOfAll,
  formsWanted,
  isFormFor,
  withOneForm,
  type SignatureForm,
} from '@kelisim/domain/points/signature-form.ts'
import { isSigningType, pointTypes, sideOf } from '@kelisim/domain/points/point-types.ts'
import { whyNotSendTo } from '@kelisim/domain/points/point.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import type { EscalationTo } from '@kelisim/domain/requests/deadlines/escalation.ts'
import { decide } from '@kelisim/domain/requests/life-cycle/decide.ts'
import {
  whyNotPlaces,
  withPlaces,
  type PointPlace,
  type SealPlace,
} from '@kelisim/domain/requests/places/place.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { leavesSender } from '@kelisim/domain/requests/sending/sender.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { findClassifiersAmong } from '../../classifiers/queries.ts'
import { findDocument, type DocumentRow } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Claimant } from '../../workers/turns.ts'
import { findGroup } from '../../portal/group-queries.ts'
import { ownGroup } from '../../portal/own-group.ts'
import { findReceiver, provedName } from '../../points/receiver-queries.ts'
import { faultsOf, placedPoints, type PlacedPoint } from '../../routes/placed-points.ts'
import { escalationColumns, findRoute, lockRoute, type RouteRow, lockPoints } from '../../routes/queries.ts'
import { escalationOf } from '../../routes/saving.ts'
import { kindToSend, registerInJournal } from '../../registers/core/register.ts'
import { countOneMore, refuseUsedUp, usageOf } from '../../subscriptions/quota.ts'
import {
  passedOver,
  refuseUntaken,
  storedConditions,
  wayAlong,
  type AboutDocument,
  type RouteWay,
} from './conditions.ts'
import type { Party } from '../core/party.ts'
import { addRequestClassifiers } from '../core/queries/classifiers.ts'
import { getOrganization } from '../core/queries/people.ts'
import type { NewEvent } from '../core/queries/events.ts'
import { holdGroups } from '../core/queries/groups.ts'
import { addPointRows, addRequestRow } from '../core/queries/requests.ts'
import { findRequest, saveEvents, type Side } from '../core/state.ts'
import type { RefuseUnsignable } from '../signed-pdf/signability.ts'

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
  quorum: number | null
  isEdsRequired: boolean
  /** How many working days its people have from their turn. */
  termDays?: number | null
  /** Who is told when these are over. */
  escalation?: EscalationTo | null
  /** Where its seal is shown on the document. */
  place?: SealPlace | null
  signatureForm: SignatureForm
} & KeyRule

/** Refuses a document that could not be printed with its signatures; its bytes are at `path`. */
export type RefuseUnprintable = (
  document: Pick<DocumentRow, 'sha256' | 'format'>,
  path: string,
  claimant: Claimant,
) => Promise<void>

export type SendingDependencies = {
  storage: Storage
  refuseUnprintable: RefuseUnprintable
  refuseUnsignable: RefuseUnsignable
}

/** The document, if the sender may see it, its bytes are unchanged, and it can be signed and then printed. */
export async function sendableDocument(
  db: Db,
  { storage, refuseUnprintable, refuseUnsignable }: SendingDependencies,
  sender: Sender,
  documentId: string,
  form: SignatureForm,
): Promise<DocumentRow> {
  const document = await findDocument(db, sender.organizationId, documentId)
  if (!document || !maySee({ ...document, isInLiveRequest: false }, sender)) refuse('document-not-found')
  const { fileId: id, organizationId, sha256, size } = document
  const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
  try {
    const claimant = { organization: sender.organizationId, person: sender.userId }
    await refuseUnprintable(document, borrowed.path, claimant)
    if (form !== 'cms' && isFormFor(form, document.format))
      await refuseUnsignable(document, form, borrowed.path, claimant)
  } finally {
    await borrowed.release()
  }
  return document
}

/** Refuses with the first fault that the route has now. */
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
    // A saved route has ordered points, so faults of the form mean that points were deleted.
    const { fault, pointIds } = first
    const isOfForm = fault === 'no-signing-point' || fault === 'order-not-positive'
    refuse(isOfForm ? 'points-not-found' : fault, { pointIds, faults })
  }
  return route
}

export type TrialResult = {
  refusals: { alias: Alias; parameters: Parameters }[]
  points: PlacedPoint[]
  way: RouteWay
}

/** Everything that sending would refuse, found by the same checks. */
export async function tryToSend(
  db: Db,
  dependencies: SendingDependencies,
  sender: Sender,
  { routeId, now, ...about }: AboutDocument & { routeId: string; now: Date },
): Promise<TrialResult> {
  const found = await findRoute(db, sender.organizationId, 'route', routeId)
  // The points of a route are shown only to those who may see it.
  const route = found && maySeeRoute({ userId: sender.userId, ...sender.member }, found) ? found : undefined
  const points = await placedPoints(db, route?.points ?? [])
  const way = await wayAlong(db, sender.organizationId, points, about)
  const form = formOfAll(way.taken)
  const refusals = [
    await refusalOf(async () => {
      const document = await sendableDocument(db, dependencies, sender, about.documentId, form)
      refuseTwoForms(way.taken)
      refuseUnfitForm(form, document.format)
    }),
    await refusalOf(async () => sendableRoute(route, points, sender, undefined)),
    await refusalOf(async () => refuseUsedUp(await usageOf(db, sender, now))),
    await refusalOf(async () => {
      const organization = await getOrganization(db, sender.organizationId)
      refuseUnproved(way.taken.map(sentPoint), organization, sender.organizationId)
    }),
    await refusalOf(async () => refuseUntaken(points, way)),
  ].flat()
  return { refusals, points, way }
}

export async function refusalOf(attempt: () => Promise<unknown>): Promise<TrialResult['refusals']> {
  try {
    await attempt()
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return [{ alias: error.alias, parameters: error.parameters }]
  }
}

type AboutRouteDocument = AboutDocument & {
  routeId: string
  routeVersion?: number | undefined
  places?: readonly PointPlace[] | undefined
}

/** The route does not change before the request is saved; others may send along it at the same time. */
export async function routeToSend(
  tx: Tx,
  sender: Sender,
  { routeId, routeVersion, places = [], ...about }: AboutRouteDocument,
): Promise<{ route: RouteRow; points: SentPoint[]; conditions: StoredConditions | null }> {
  const found = await lockRoute(tx, sender.organizationId, 'route', routeId, 'share')
  const pointIds = found?.points.map(({ pointId }) => pointId) ?? []
  await holdGroups(tx, await lockPoints(tx, pointIds))
  const points = await placedPoints(tx, found?.points ?? [])
  const route = sendableRoute(found, points, sender, routeVersion)
  const way = await wayAlong(tx, sender.organizationId, points, about)
  refuseUntaken(points, way)
  const fault = whyNotPlaces(points, places)
  if (fault) refuse(fault.alias, fault.parameters)
  const taken = withOneForm(way.taken.map(sentPoint))
  return { route, points: withPlaces(taken, places), conditions: storedConditions(way) }
}

/** The form of the signatures of a route, before it is locked. */
export async function formOfRoute(
  db: Db,
  sender: Sender,
  { routeId, ...about }: AboutDocument & { routeId: string },
): Promise<SignatureForm> {
  const route = await findRoute(db, sender.organizationId, 'route', routeId)
  const points = await placedPoints(db, route?.points ?? [])
  const { taken } = await wayAlong(db, sender.organizationId, points, about)
  refuseTwoForms(taken)
  return formOfAll(taken)
}

function refuseTwoForms(points: readonly Pick<PlacedPoint, 'type' | 'signatureForm'>[]): void {
  const forms = formsWanted(points)
  if (forms.length > 1) refuse('signature-form-unfit', { form: 'both', forms })
}

/** The organisation asked for that form on purpose, so another one does not silently take its place. */
function refuseUnfitForm(form: SignatureForm, format: DocumentRow['format']): void {
  if (!isFormFor(form, format)) refuse('signature-form-unfit', { form, format })
}

export function sentPoint(point: PlacedPoint): SentPoint {
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
    quorum: point.quorum,
    termDays: point.termDays,
    escalation: escalationOf(point),
    isEdsRequired: point.isEdsPresentationRequired,
    keyHolder: point.keyHolder,
    keyHolderIin: point.keyHolderIin,
    signatureForm: point.signatureForm,
  }
}

export type QuickRecipient = {
  /** Undefined: of somebody who is alone in the organisation. */
  groupId?: string | undefined
  isForInformation: boolean
  bin: string
  organizationName: string
  emails: string[]
}

/** A group of the sender signs first, then the recipient signs or is told about it. */
export async function quickPoints(
  tx: Tx,
  sender: Sender & { bin: string; shortName: string },
  { groupId: chosen, isForInformation, bin, organizationName, emails }: QuickRecipient,
  now: Date,
): Promise<SentPoint[]> {
  const groupId = chosen ?? (await ownGroup(tx, sender, now)) ?? refuse('user-group-not-found')
  const recipientType = isForInformation ? 'QuickDirectInformation' : 'QuickExternalSign'
  await holdGroups(tx, [groupId])
  const group = await findGroup(tx, sender.organizationId, groupId)
  if (!group) refuse('group-not-found')
  if (group.participants.length === 0) refuse('group-empty')
  // The sender must be a member of the group that signs.
  if (!group.participants.some(({ userId }) => userId === sender.userId)) refuse('user-group-not-found')
  if (bin === sender.bin) refuse('recipient-is-own')
  const receiver = await findReceiver(tx, bin)
  const reason = whyNotSendTo('external', receiver, sender.organizationId)
  if (reason) refuse(reason)
  const recipient = provedName(bin, receiver) ?? organizationName
  const none = {
    responsible: [],
    condition: 'any',
    quorum: null,
    isEdsRequired: false,
    signatureForm: 'cms',
  } as const
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
      ...keyRuleOf('QuickCompanyInternalSign', sender.bin),
      responsible: [],
    },
    {
      pointId: newId(),
      order: 2,
      type: recipientType,
      name: recipient,
      organizationId: null,
      groupId: null,
      bin,
      organizationName: recipient,
      emails,
      ...none,
      ...keyRuleOf(recipientType, bin),
      responsible: [],
    },
  ]
}

/** The sender as the request keeps it. */
export type SenderFacts = { name: string; bin: string; confirmedAt: Date | null }

export type NewRequest = {
  id: string
  sender: SenderFacts
  document: DocumentRow
  route: { id: string | null; name: string }
  isQuick: boolean
  /** The package that it is a document of. */
  inPackage?: { id: string; position: number; count: number } | undefined
  /** The ended request instead of which it is sent. */
  followsId?: string | undefined
  /** Sent by a person without an account. */
  isFromLanding?: boolean
  points: readonly SentPoint[]
  /** What decided about points with a condition. */
  conditions?: StoredConditions | null
  name: string
  description: string
  signingDate: string | undefined
  /** The last day on which it can be signed. */
  expiresOn?: string | undefined
  isTimestampRequired: boolean
  language: Language
  additionalComponents: number
  accessCodeExpiresOn: string | null
  classifierIds: readonly string[]
  kindId?: string | undefined
  address: string
}

/** What others would read as the sender's name and number is proved by its key. */
export function refuseUnproved(
  points: readonly Pick<SentPoint, 'organizationId'>[],
  { bin, confirmedAt }: Pick<SenderFacts, 'bin' | 'confirmedAt'>,
  organizationId: string,
): void {
  if (confirmedAt === null && leavesSender(points, organizationId))
    refuse('organization-not-confirmed', { bin })
}

/** Adds the request and starts it in the same transaction, with few statements: each is a way to the database and back. */
export async function addRequest(
  tx: Tx,
  { member, userId }: { userId: string; member: Pick<Sender['member'], 'organizationId'> },
  party: Party,
  newRequest: NewRequest,
  now: Date,
): Promise<void> {
  const { organizationId } = member
  const {
    sender,
    document,
    route,
    points,
    classifierIds,
    address: _,
    signingDate,
    followsId,
    kindId,
    conditions = null,
    expiresOn,
    inPackage,
    ...columns
  } = newRequest
  refuseUnproved(points, sender, organizationId)
  refuseUnfitForm(formOfAll(points), document.format)
  const known = await findClassifiersAmong(tx, organizationId, [...classifierIds])
  if (known.length < classifierIds.length) refuse('classificator-not-found')
  const kind = await kindToSend(tx, organizationId, kindId)
  await addRequestRow(tx, {
    ...columns,
    organizationId,
    senderName: sender.name,
    senderBin: sender.bin,
    senderConfirmedAt: sender.confirmedAt,
    authorId: userId,
    followsId: followsId ?? null,
    kindId: kind?.id ?? null,
    conditions: conditions && JSON.stringify(conditions),
    expiresOn: expiresOn ?? null,
    packageId: inPackage?.id ?? null,
    packagePosition: inPackage?.position ?? null,
    documentId: document.id,
    fileId: document.fileId,
    // Files that are made from the request are named after it, so it is safe on every disk.
    fileName: cleanFileName(document.name),
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
  await addPoints(tx, newRequest.id, points)
  await addRequestClassifiers(tx, newRequest.id, classifierIds)
  let number: string | undefined
  if (kind?.registersAtSending && kind.journalId !== null) {
    const { journalId } = kind
    const registered = {
      organizationId,
      requestId: newRequest.id,
      journalId,
      direction: 'outgoing',
      by: userId,
    } as const
    number = await registerInJournal(tx, registered, now)
  }
  // Nobody else sees the request yet, so there is nothing to lock.
  const loaded = (await findRequest(tx, newRequest.id))!
  const events = decide(loaded.request, { type: 'start', passedOver: passedOver(conditions) }, now)
  const sent = sentEvent(newRequest, party, number, now)
  await saveEvents(tx, loaded, events, { actor: null, address: null, comment: '', sent }, now)
  // Last, because those who send for the same organisation wait for each other here.
  await countOneMore(tx, { organizationId, userId }, now)
}

export async function addPoints(tx: Tx, requestId: string, points: readonly SentPoint[]): Promise<void> {
  const rows = points.map(({ type, escalation = null, place = null, ...point }) => ({
    ...point,
    place: place && JSON.stringify(place),
    requestId,
    attempt: 0,
    type: pointTypes.of(type),
    status: pointStatuses.InQueue,
    reason: null,
    pendingSignature: null,
    pendingBy: null,
    turnCameAt: null,
    doneAt: null,
    termDays: point.termDays ?? null,
    remindOn: null,
    dueOn: null,
    ...escalationColumns(escalation),
    escalatedAt: null,
  }))
  await addPointRows(tx, rows)
}

/** Those who sign. */
export function sidesOf(
  points: readonly Pick<SentPoint, 'pointId' | 'type' | 'organizationName' | 'bin'>[],
): Side[] {
  return points
    .filter(({ type }) => isSigningType(type))
    .map(({ pointId, organizationName, bin }) => ({ pointId, name: organizationName, bin }))
}

/** The first event of every history. */
function sentEvent(
  { id: requestId, name, sender, points, address, inPackage }: NewRequest,
  { actor }: Party,
  number: string | undefined,
  now: Date,
): NewEvent {
  const status = requestStatuses.of('New')
  // In the log for ever, so that nobody can tell another sender or other sides later.
  const sides = sidesOf(points)
  const confirmedAt = sender.confirmedAt?.toISOString() ?? null
  return {
    requestId,
    number: 1,
    at: now,
    type: 'sent',
    attempt: 0,
    pointId: null,
    actor: JSON.stringify(actor),
    address,
    comment: '',
    data: JSON.stringify({
      name,
      sender: { ...sender, confirmedAt },
      sides,
      ...(number !== undefined && { number }),
      ...(inPackage && { package: inPackage }),
    }),
    before: status,
    after: status,
  }
}
