/**
 * Sending: everything that could fail later is checked first, then the route is copied into the request. Later changes of
 * the route or its points do not affect the request.
 */
import type { Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { cleanFileName } from '@kelisim/domain/documents/file-name.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { formOfAll } from '@kelisim/domain/points/signature-form.ts'
import { pointTypes } from '@kelisim/domain/points/point-types.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import { decide } from '@kelisim/domain/requests/life-cycle/decide.ts'
import { pointStatuses, requestStatuses } from '@kelisim/domain/requests/status.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { findClassifiersAmong } from '../../classifiers/queries.ts'
import type { DocumentRow } from '../../documents/queries.ts'
import { escalationColumns } from '../../routes/queries.ts'
import { kindToSend, registerInJournal } from '../../registers/core/register.ts'
import { countOneMore } from '../../subscriptions/quota.ts'
import { passedOver } from './conditions.ts'
import type { Party } from '../core/party.ts'
import { addRequestClassifiers } from '../core/queries/classifiers.ts'
import type { NewEvent } from '../core/queries/events.ts'
import { addPointRows, addRequestRow } from '../core/queries/requests.ts'
import { saveEvents } from '../core/saving.ts'
import { findRequest } from '../core/state.ts'
import { refuseUnfitForm } from './sendable.ts'
import { sidesOf, type SentPoint } from './sent-points.ts'
import { refuseUnproved, type Sender, type SenderFacts } from './sender.ts'

export type NewRequest = {
  id: string
  sender: SenderFacts
  document: DocumentRow
  route: { id: string | null; name: string }
  isQuick: boolean
  /** The package that the request belongs to. */
  inPackage?: { id: string; position: number; count: number } | undefined
  /** The ended request that this one replaces. */
  followsId?: string | undefined
  /** Sent by a person without an account. */
  isFromLanding?: boolean
  /** The digest of the input, for calls that may be repeated. */
  sentDigest?: Buffer
  points: readonly SentPoint[]
  /** The facts and verdicts that decided about points with a condition. */
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

/**
 * Adds the request and starts it in the same transaction, with few statements, because each is a round trip to the
 * database.
 */
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
    // Outputs of the request are named after this file, so the name is made safe on every disk.
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
  // Counted last, because senders of the same organisation wait for each other here.
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

/** The first event of every history. */
function sentEvent(
  { id: requestId, name, sender, points, address, inPackage }: NewRequest,
  { actor }: Party,
  number: string | undefined,
  now: Date,
): NewEvent {
  const status = requestStatuses.of('New')
  // The sides stay in the log for ever, so that nobody can later claim another sender or other sides.
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
