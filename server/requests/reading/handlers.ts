/** Lists of requests, one of them, its history and its files: the calls that only read. */
import { stat } from 'node:fs/promises'
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import { dateInAlmaty } from '@kelisim/domain/calendar.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { pointTypes, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { getRequest, getRequestHistory } from '@kelisim/domain/requests/contract.ts'
import { downloadRequestFile, downloadSignature } from '@kelisim/domain/requests/files-contract.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import {
  countWaiting,
  getRequests,
  signedStatuses,
  type RequestLine,
} from '@kelisim/domain/requests/list-contract.ts'
import { isDone, pointsOf, processOf } from '@kelisim/domain/requests/life-cycle/request.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import { isAskedAt } from '@kelisim/domain/requests/actors.ts'
import {
  actsFor,
  isOfSender,
  seenOf,
  seesAnswersOf,
  seesOpenings,
  seesPoint,
} from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { processKinds, requestStatuses } from '@kelisim/domain/requests/status.ts'
import { borrowVerified } from '../../documents/storage/verified.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Files, ServedFile } from '../../http/files.ts'
import { findRegistrations } from '../../registers/core/queries.ts'
import { shownRegistrations } from '../../registers/core/register.ts'
import type { Serve } from '../../http/serve.ts'
import {
  countWaitingFor,
  findArrivals,
  findInboxes,
  findIncoming,
  findOutgoing,
  noInboxes,
} from './queries/lists.ts'
import { earliest } from '../core/due.ts'
import { absentFor, senderView } from '../core/views.ts'
import { partyOf, visibleRequest, type Party } from '../core/party.ts'
import { visibleRequestView } from '../core/visible-view.ts'
import { historyPage } from './history.ts'
import { serveBytes } from './served-bytes.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { signedXmlOf } from './signature-entries.ts'
import { findInside } from '../signed-pdf/queries.ts'
import { borrowSignedPdf } from '../signed-pdf/signed-pdf.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import type { HiddenEvents } from '../core/queries/events.ts'
import { findClassifiersByRequest } from '../core/queries/classifiers.ts'
import { findDownloadableSignature } from '../core/queries/signatures.ts'
import { findTermination } from '../core/queries/terminations.ts'
import { terminatingFileName, terminatingTitle } from '../core/terminating-name.ts'

export function requestReadingHandlers(serve: Serve, files: Files, storage: Storage): void {
  serve(getRequests, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const { organizationId, roles } = who.member
    const filter = {
      status: input.status || requestStatuses.all,
      isDone: isDoneOf(input.signedStatus),
      name: input.name ?? '',
      author: input.author ?? '',
      bin: input.bin ?? null,
      classifierId: input.classificatorId ?? null,
      registered: { organizationId, number: input.number ?? '', journalId: input.journalId ?? null },
      from: input.from ?? null,
      to: input.to ?? null,
      dueBefore: input.isOverdue ? dateInAlmaty(now) : null,
      sort: input.sort,
      skip: input.skip,
      take: input.take,
    }
    const viewer = { userId: who.userId, organizationId, isOwner: isOwner(roles) }
    const inboxes = input.route === 'incomings' ? await findInboxes(db, viewer, now) : noInboxes
    const { items, totalCount } =
      input.route === 'incomings'
        ? await findIncoming(db, { userId: who.userId, organizationId, inboxes }, filter)
        : await findOutgoing(db, organizationId, whoseOf(input.ownScope, viewer), { ...filter, isDone: null })
    const ids = items.map(({ row }) => row.id)
    const arrivals = await findArrivals(db, [...inboxes.own, ...inboxes.absent], ids)
    const found = await requestLines(db, items, party, now)
    return {
      items: found.map((line) => ({ ...line, arrivedAt: arrivals.get(line.id)?.toISOString() ?? null })),
      totalCount,
    }
  })

  serve(countWaiting, async ({ who, db, now }) => {
    const viewer = { userId: who.userId, organizationId: who.member.organizationId }
    const inboxes = await findInboxes(db, viewer, now)
    return { count: await countWaitingFor(db, { ...viewer, inboxes }) }
  })

  serve(getRequest, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    return visibleRequestView(db, input.signingRequestId, party, now)
  })

  serve(getRequestHistory, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    return historyPage(db, loaded, hiddenEvents(loaded, party.viewer), input)
  })

  files.give(downloadRequestFile, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const { row } = await visibleRequest(db, input.signingRequestId, party)
    const { file, name, format } = await fileOf(db, row, input.file)
    const borrowed = await borrowVerified(storage, file)
    return { ...borrowed, size: file.size, name, mediaType: mediaTypes[format] }
  })

  files.give(downloadSignature, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const isTerminating = input.associationType === processKinds.terminating
    const isSigning = input.associationType === processKinds.signing
    const row = await findDownloadableSignature(db, {
      requestId: loaded.row.id,
      signatureId: input.signatureId,
      actorId: party.actor.id,
      process: isSigning ? 'signing' : isTerminating ? 'terminating' : 'any',
    })
    if (!row || !signaturesSeen(loaded, party.viewer)(row)) {
      refuse(isTerminating ? 'terminating-sign-not-found' : 'signing-sign-not-found')
    }
    if (row.gapFrom !== null) return giveRevision(db, storage, input.signatureId, loaded.row)
    if (isXmlSignature(row.cms)) {
      const { file, name } = await fileOf(db, loaded.row, 'original')
      return serveBytes(await signedXmlOf(storage, file, row.cms), { name, mediaType: mediaTypes.xml })
    }
    return serveBytes(row.timestampedCms ?? row.cms, {
      name: `${loaded.row.fileName}.cms`,
      mediaType: 'application/pkcs7-signature',
    })
  })
}

/** The PDF as it was after this signature. */
async function giveRevision(
  db: Db,
  storage: Storage,
  signatureId: string,
  { fileName }: LoadedRequest['row'],
): Promise<ServedFile> {
  const borrowed = await borrowSignedPdf(storage, (await findInside(db, signatureId))!, null)
  const { size } = await stat(borrowed.path)
  return { ...borrowed, size, name: fileName, mediaType: mediaTypes.pdf }
}

function isDoneOf(mask: number | undefined): boolean | null {
  if (!mask || mask === signedStatuses.all) return null
  return signedStatuses.has(mask, 'Signed')
}

/** Own requests by default; only owners may list requests of colleagues. */
function whoseOf(mask: number | undefined, viewer: { userId: string; isOwner: boolean }) {
  const wanted = mask || listOwners.of('My')
  if (listOwners.has(wanted, 'Other') && !viewer.isOwner) refuse('roles-filter')
  return {
    authorId: listOwners.has(wanted, 'Other') ? null : viewer.userId,
    exceptAuthor: listOwners.has(wanted, 'My') ? null : viewer.userId,
  }
}

/** Requests as lines of a list, without the time of arrival, which depends on the list. */
export async function requestLines(
  db: Db,
  items: readonly LoadedRequest[],
  { viewer }: Party,
  now: Date,
): Promise<z.input<typeof RequestLine>[]> {
  const ids = items.map(({ row }) => row.id)
  const [tags, numbers] = await Promise.all([findClassifiersByRequest(db, ids), findRegistrations(db, ids)])
  return items.map((loaded) => {
    const { row, signing, request } = loaded
    const isOurs = isOfSender(seenOf(row, request), viewer)
    const hidden = hiddenPoints({ row, request }, viewer)
    const counterparties = signing.filter(
      ({ type, pointId }) => sideOf(typeOf(type)!) !== 'internal' && !hidden.includes(pointId),
    )
    const [first] = counterparties
    const { registration, ownRegistration } = shownRegistrations(
      numbers.get(row.id),
      row.organizationId,
      viewer.organizationId,
    )
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      status: row.status,
      signingDate: row.signingDate,
      format: row.format,
      author: { id: row.authorId, fullName: row.authorName },
      organization: { id: row.organizationId, ...senderView(row) },
      counterparty: first
        ? { bin: first.bin, name: first.organizationName, others: counterparties.length - 1 }
        : null,
      classificators: isOurs ? (tags.get(row.id) ?? []) : [],
      registration,
      ownNumber: ownRegistration?.number ?? null,
      createdAt: row.createdAt.toISOString(),
      arrivedAt: null,
      changedAt: row.changedAt.toISOString(),
      currentVersion: row.version,
      revision: row.revision,
      package:
        row.packageId === null
          ? null
          : { id: row.packageId, name: row.packageName!, isTogether: row.isTogether! },
      dueOn: dueOnFor({ row, request }, viewer),
      progress: progressOf({ row, request }, viewer),
      actsInsteadOf: absentIn(loaded, viewer),
      acts: actsFor(row, request, viewer, now).map(({ act, pointId }) => {
        const point = pointsOf(request).find((one) => one.pointId === pointId)
        return { act, pointId, type: point ? pointTypes.of(point.type) : null }
      }),
    }
  })
}

/** The absent colleague for whom the next act of the caller counts. */
function absentIn({ row, signing, terminating, request }: LoadedRequest, viewer: Party['viewer']) {
  const rows = processOf(request) === 'terminating' ? terminating : signing
  const { awaited } = seenOf(row, request)
  const names = pointsOf(request)
    .filter(({ pointId }) => awaited.includes(pointId))
    .map((rule) =>
      absentFor(
        rule,
        rows.find(({ pointId }) => pointId === rule.pointId)!,
        viewer,
      ),
    )
  return names.find((name) => name !== null) ?? null
}

/** The earliest deadline that is still open: for people of the sender of all sides, for others of their own side. */
function dueOnFor({ row, request }: Pick<LoadedRequest, 'row' | 'request'>, viewer: Party['viewer']) {
  const seen = seenOf(row, request)
  const isOurs = isOfSender(seen, viewer)
  const asked = request.points.filter(
    (point) => seen.awaited.includes(point.pointId) && (isOurs || isAskedAt(point, viewer)),
  )
  return processOf(request) === 'signing'
    ? earliest(asked.flatMap(({ deadline }) => deadline?.dueOn ?? []))
    : null
}

/** Counts the points of the current process that the caller sees. */
function progressOf({ row, request }: Pick<LoadedRequest, 'row' | 'request'>, viewer: Party['viewer']) {
  const seen = seenOf(row, request)
  const points = pointsOf(request).filter((point) => seesPoint(seen, point, viewer))
  return { done: points.filter(isDone).length, total: points.length }
}

/** Points that the caller must not see. */
export function hiddenPoints(
  { row, request }: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Party['viewer'],
): string[] {
  const seen = seenOf(row, request)
  // Who was passed over, and why, is a matter of the sender.
  const judged = (row.conditions as StoredConditions | null)?.points ?? []
  const isAskedNow = (id: string) => request.points.some(({ pointId }) => pointId === id)
  const passed = isOfSender(seen, viewer)
    ? []
    : judged.filter(({ verdict, pointId }) => verdict === 'notMet' && !isAskedNow(pointId))
  const isHidden = (point: (typeof request.points)[number]) =>
    !seesPoint(seen, point, viewer) || !seesAnswersOf(row, point, viewer)
  return [...request.points.filter(isHidden), ...passed].map(({ pointId }) => pointId)
}

/** Which signatures the caller may have: those of points they see, and always their own. */
export function signaturesSeen(
  loaded: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Party['viewer'],
): (signature: { pointId: string; actorId: string }) => boolean {
  const hidden = new Set(hiddenPoints(loaded, viewer))
  return ({ pointId, actorId }) => !hidden.has(pointId) || actorId === viewer.id
}

/** What the caller must not see of the history. */
export function hiddenEvents(
  loaded: Pick<LoadedRequest, 'row' | 'request'>,
  viewer: Party['viewer'],
): HiddenEvents {
  const { row, request } = loaded
  const seen = seenOf(row, request)
  const silent = request.points.filter((point) => !seesOpenings(seen, point, viewer))
  return {
    points: hiddenPoints(loaded, viewer),
    openings: silent.map(({ pointId }) => pointId),
    // Whom the sender asks inside is its own matter; changes of who signs are told by the event `sides-changed`.
    types: isOfSender(seen, viewer) ? [] : ['rerouted', 'passed-over'],
  }
}

/** The file with its name and format, and the title and date of the document in it. */
export async function fileOf(db: Db, row: LoadedRequest['row'], which: 'original' | 'terminating') {
  if (which === 'original') {
    const { fileId: id, organizationId, sha256, size, destroyedAt, fileName: name, format } = row
    return {
      file: { id, organizationId, sha256, size, destroyedAt },
      name,
      format,
      title: row.name,
      date: row.signingDate,
    }
  }
  const termination = row.attempt === 0 ? undefined : await findTermination(db, row.id, row.attempt)
  if (!termination) return refuse('terminating-document-not-found')
  const { fileId: id, organizationId, sha256, size, destroyedAt } = termination
  return {
    file: { id, organizationId, sha256, size, destroyedAt },
    name: terminatingFileName(row, row.attempt),
    format: 'pdf' as const,
    title: terminatingTitle(row, row.attempt),
    date: dateInAlmaty(termination.begunAt),
  }
}
