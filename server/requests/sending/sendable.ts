/** What can be sent: a document that can be signed and printed, along a route on which everybody can be reached. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { maySee } from '@kelisim/domain/documents/permissions.ts'
import { Refusal, refuse, type Alias, type Parameters } from '@kelisim/domain/errors.ts'
import {
  formOfAll,
  formsWanted,
  isFormFor,
  withOneForm,
  type SignatureForm,
} from '@kelisim/domain/points/signature-form.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import { whyNotPlaces, withPlaces, type PointPlace } from '@kelisim/domain/requests/places/place.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import { findDocument, type DocumentRow } from '../../documents/queries.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Claimant } from '../../workers/turns.ts'
import { faultsOf, placedPoints, type PlacedPoint } from '../../routes/placed-points.ts'
import { asksForForm, findRoute, lockRoute, lockPoints, type RouteRow } from '../../routes/queries.ts'
import { refuseUsedUp, usageOf } from '../../subscriptions/quota.ts'
import { refuseUntaken, storedConditions, wayAlong, type AboutDocument, type RouteWay } from './conditions.ts'
import { getOrganization } from '../core/queries/people.ts'
import { holdGroups } from '../core/queries/groups.ts'
import type { RefuseUnsignable } from '../signed-pdf/signability.ts'
import { refuseUnproved, type Sender } from './sender.ts'

import { sentPoint, type SentPoint } from './sent-points.ts'

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
  const route = await visibleRoute(db, sender, routeId)
  const points = await placedPoints(db, route?.points ?? [])
  const way = await wayAlong(db, sender, points, about)
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

/** Locks the route against changes until the request is saved; others may send along it at the same time. */
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
  const way = await wayAlong(tx, sender, points, about)
  refuseUntaken(points, way)
  const fault = whyNotPlaces(points, places)
  if (fault) refuse(fault.alias, fault.parameters)
  const taken = withOneForm(way.taken.map(sentPoint))
  return { route, points: withPlaces(taken, places), conditions: storedConditions(way) }
}

/**
 * The form of the signatures of a route, before it is locked. Most routes ask for none, which a cheaper query finds
 * out.
 */
export async function formOfRoute(
  db: Db,
  sender: Sender,
  { routeId, ...about }: AboutDocument & { routeId: string },
): Promise<SignatureForm> {
  if (!(await asksForForm(db, sender.organizationId, routeId))) return 'cms'
  const route = await visibleRoute(db, sender, routeId)
  const points = await placedPoints(db, route?.points ?? [])
  const { taken } = await wayAlong(db, sender, points, about)
  refuseTwoForms(taken)
  return formOfAll(taken)
}

/** The points of a route, and what follows from them, are told only to those who may see it. */
async function visibleRoute(db: Db, sender: Sender, routeId: string): Promise<RouteRow | undefined> {
  const found = await findRoute(db, sender.organizationId, 'route', routeId)
  return found && maySeeRoute({ userId: sender.userId, ...sender.member }, found) ? found : undefined
}

function refuseTwoForms(points: readonly Pick<PlacedPoint, 'type' | 'signatureForm'>[]): void {
  const forms = formsWanted(points)
  if (forms.length > 1) refuse('signature-form-unfit', { form: 'both', forms })
}

/** The organisation asked for that form on purpose, so it is not silently replaced by another one. */
export function refuseUnfitForm(form: SignatureForm, format: DocumentRow['format']): void {
  if (!isFormFor(form, format)) refuse('signature-form-unfit', { form, format })
}
