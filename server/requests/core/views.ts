/** A request as its page shows it: what the caller may see and do. */
import type { Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import type { StoredActor, StoredPower } from '@kelisim/db/schema/requests.ts'
import { coarseTypes, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { powerFor, type SignedMatter } from '@kelisim/domain/powers-of-attorney/power.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import type { RequestPointView, SignatureView, SigningRequest } from '@kelisim/domain/requests/contract.ts'
import { mayRegister } from '@kelisim/domain/registers/permissions.ts'
import { whyNotSendAgain } from '@kelisim/domain/requests/sending/again.ts'
import { isAnotherNamed, isAskedAt, mayActAt, partOf, type AskedAt } from '@kelisim/domain/requests/actors.ts'
import type { RequestPoint } from '@kelisim/domain/requests/life-cycle/request.ts'
import { unopenedPoints } from '@kelisim/domain/requests/openings/openings.ts'
import type { Sender } from '@kelisim/domain/requests/parts.ts'
import { placeIn } from '@kelisim/domain/requests/places/place.ts'
import { isHeld } from '@kelisim/domain/requests/lock.ts'
import { refusalOfCode } from '@kelisim/domain/requests/signer.ts'
import { pointStatuses, pointStatusOf, replaceableStatuses } from '@kelisim/domain/requests/status.ts'
import {
  actsFor,
  isOfSender,
  mayEditRequest,
  maySee,
  seenOf,
  seesAnswersOf,
  seesOpenings,
  seesPoint,
  type Viewer,
} from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { findKind, findRegistrations } from '../../registers/core/queries.ts'
import { shownRegistrations } from '../../registers/core/register.ts'
import type { CertificateFacts } from '../../signatures/kept-evidence.ts'
import type { Party } from './party.ts'
import { packageView } from './packages.ts'
import { visibleProposals } from './proposals.ts'
import type { ProposalRow } from './queries/proposals.ts'
import { visibleRevisions } from './revisions.ts'
import { shownName } from './saving.ts'
import { findRequestsAmong } from './state.ts'
import { signingPointIds, type LoadedRequest } from './loaded.ts'
import { findPowersOfHolder } from './queries/powers.ts'
import { terminatingFileName, terminatingTitle } from './terminating-name.ts'
import { findClassifiersByRequest } from './queries/classifiers.ts'
import { findActs, findOpenings, findWithdrawal, type ActRow, type OpeningRow } from './queries/events.ts'
import { findFollower } from './queries/requests.ts'
import type { PointRow, RequestRow } from './queries/rows.ts'
import type { RevisionRow } from './queries/revisions.ts'
import {
  findSignatures,
  findSignedAnswers,
  type SignatureRow,
  type SignedAnswer,
} from './queries/signatures.ts'
import { findTermination } from './queries/terminations.ts'

type View = z.input<typeof SigningRequest>
type PointView = z.input<typeof RequestPointView>
type ActView = PointView['acts'][number]

export async function requestView(
  db: Db,
  loaded: LoadedRequest,
  { viewer, actor }: Pick<Party, 'viewer'> & { actor?: Pick<StoredActor, 'iin'> },
  now: Date,
): Promise<View> {
  const { row, request } = loaded
  const seen = seenOf(row, request)
  const isCampaign = loaded.signing.some(({ isAudience }) => isAudience)
  const hasProposals = loaded.signing.some(({ proposal }) => proposal !== null)
  const [
    signatures,
    answers,
    acts,
    tags,
    termination,
    withdrawal,
    powers,
    others,
    numbers,
    revisions,
    opened,
    sentWith,
    proposals,
  ] = await Promise.all([
    // In a campaign only the viewer's own: the page of the campaign and the acknowledgement sheet name the others.
    findSignatures(db, row.id, row.attempt, isCampaign ? viewer.id : undefined),
    isCampaign && seesAnswersOf(row, { isPersonal: true }, viewer) ? findSignedAnswers(db, row.id) : [],
    findActs(db, row.id, row.attempt),
    findClassifiersByRequest(db, [row.id]),
    row.attempt === 0 ? undefined : findTermination(db, row.id, row.attempt),
    request.status === 'Revoked' ? findWithdrawal(db, row.id) : undefined,
    viewer.key?.powers ?? (actor?.iin ? findPowersOfHolder(db, actor.iin) : []),
    otherRequests(db, loaded, viewer),
    findRegistrations(db, [row.id]),
    visibleRevisions(db, loaded, viewer),
    findOpenings(db, row.id, row.attempt),
    packageView(db, loaded, viewer, now),
    hasProposals ? visibleProposals(db, loaded, viewer) : [],
  ])
  const registrations = shownRegistrations(numbers.get(row.id), row.organizationId, viewer.organizationId)
  const isRepresented = (matter: SignedMatter) =>
    powerFor(powers, actor?.iin ?? null, matter, now).verdict === 'valid'
  const context = { loaded, viewer, signatures, answers, acts, opened, proposals, isRepresented }
  const isOurs = isOfSender(seen, viewer)
  const kind = row.kindId === null ? undefined : await findKind(db, row.organizationId, row.kindId)
  const canEdit = mayEditRequest(seen, viewer)
  const isHeldByAnother = isHeld(request.lock, now) && row.lockBy !== viewer.id
  const terminatingRules = request.termination?.points ?? []
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    status: row.status,
    signingDate: row.signingDate,
    isTimestampRequired: row.isTimestampRequired,
    isQuick: row.isQuick,
    generationSetting: {
      additionalComponents: row.additionalComponents,
      accessCodeExpirationDate: row.accessCodeExpiresOn,
    },
    classificators: isOurs ? (tags.get(row.id) ?? []) : [],
    document: {
      id: isOurs ? row.documentId : null,
      fileName: row.fileName,
      format: row.format,
      size: row.size,
      sha256: row.sha256.toString('hex'),
      destroyedAt: row.destroyedAt?.toISOString() ?? null,
    },
    revision: row.revision,
    revisions: revisions.map(revisionView),
    kind: isOurs && kind ? { id: kind.id, name: kind.name, journalId: kind.journalId } : null,
    ...registrations,
    canRegister: registrations.ownRegistration === null && mayRegister(row, viewer),
    conditions: isOurs ? (row.conditions as StoredConditions | null) : null,
    route: isOurs ? { id: row.routeId, name: row.routeName } : null,
    author: { id: row.authorId, fullName: row.authorName },
    organization: { id: row.organizationId, ...senderView(row) },
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    currentVersion: row.version,
    points: pointViews(context, loaded.signing, request.points),
    termination: termination
      ? {
          attempt: row.attempt,
          title: terminatingTitle(row, row.attempt),
          fileName: terminatingFileName(row, row.attempt),
          begunBy: shownName(termination.begunBy),
          begunAt: termination.begunAt.toISOString(),
          comment: termination.comment,
          points: pointViews(context, loaded.terminating, terminatingRules),
        }
      : null,
    canEdit,
    signingRequestActions: { CanEdit: canEdit },
    acts: actsFor(row, request, viewer, now),
    isFirstLook: unopenedPoints(request, viewer, opened).length > 0,
    ...others,
    package: sentWith,
    expiresOn: row.expiresOn,
    expiredAt: withdrawal?.type === 'expired' ? withdrawal.at.toISOString() : null,
    withdrawal:
      withdrawal?.type === 'withdrawn'
        ? {
            ...shownName(withdrawal.actor),
            at: withdrawal.at.toISOString(),
            comment: withdrawal.comment,
          }
        : null,
    lock: isHeldByAnother ? { fullName: row.lockName ?? '', until: row.lockUntil!.toISOString() } : null,
  }
}

function revisionView({ sha256, at, actor, ...revision }: RevisionRow): View['revisions'][number] {
  return { ...revision, sha256: sha256.toString('hex'), at: at.toISOString(), by: actor && shownName(actor) }
}

type OtherRequests = Pick<View, 'follows' | 'followedBy' | 'canSendAgain'>

/** The request that this one replaces and the one that replaces it, as far as the viewer may see them. */
async function otherRequests(
  db: Db,
  { row, request }: LoadedRequest,
  viewer: Viewer,
): Promise<OtherRequests> {
  const isEnded = replaceableStatuses.includes(request.status)
  const followerId = isEnded ? await findFollower(db, row.id) : undefined
  const others = await findRequestsAmong(db, [row.followsId ?? [], followerId ?? []].flat())
  const shown = others
    .filter((other) => maySee(seenOf(other.row, other.request), viewer))
    .map(({ row: { id, name, status } }) => ({ id, name, status }))
  const { organizationId, authorId } = row
  const ended = { organizationId, authorId, status: request.status, isFollowed: followerId !== undefined }
  return {
    follows: shown.find(({ id }) => id === row.followsId) ?? null,
    followedBy: shown.find(({ id }) => id === followerId) ?? null,
    canSendAgain: whyNotSendAgain(ended, viewer) === null,
  }
}

type ViewContext = {
  loaded: LoadedRequest
  viewer: Viewer
  signatures: SignatureRow[]
  /** The answers of everybody who signed at the point of a campaign; empty for viewers who may not see them. */
  answers: SignedAnswer[]
  acts: ActRow[]
  opened: OpeningRow[]
  proposals: ProposalRow[]
  /** Whether the viewer holds a power of attorney for the document as this side sees it. */
  isRepresented: (matter: SignedMatter) => boolean
}

function pointViews(
  { loaded, viewer, signatures, answers, acts, opened, proposals, isRepresented }: ViewContext,
  rows: readonly PointRow[],
  rules: readonly RequestPoint[],
): PointView[] {
  const { row, request } = loaded
  const seen = seenOf(row, request)
  return rows.flatMap((point) => {
    const type = typeOf(point.type)!
    const rule = rules.find(({ pointId }) => pointId === point.pointId)
    const ofPoint = {
      pointId: point.pointId,
      type,
      stoodIn: point.stoodIn,
      isPersonal: point.isAudience === true,
      organizationId: point.actsForId,
      bin: externalNumber(point),
      participants: point.participants.map(({ id }) => id),
      ...(rule?.matter && { matter: rule.matter }),
    }
    if (!seesPoint(seen, ofPoint, viewer)) return []
    const seesAnswers = seesAnswersOf(row, ofPoint, viewer)
    const isHere = (one: { attempt: number; pointId: string | null; actor?: StoredActor | null }) =>
      one.attempt === point.attempt &&
      one.pointId === point.pointId &&
      (seesAnswers || one.actor?.id === viewer.id)
    const mine = signatures.filter(isHere)
    // Groups and participants are shown to their own organisation only. An external point has no organisation, and
    // neither has a caller who comes with a key alone.
    const isOfOurs = point.organizationId !== null && point.organizationId === viewer.organizationId
    const isOurSide = isOfOurs || isAskedAt(ofPoint, viewer)
    return [
      {
        pointId: point.pointId,
        order: point.order,
        name: point.name,
        type: point.type,
        pointType: coarseTypes[sideOf(type)],
        bin: point.bin,
        organizationName: point.organizationName,
        groupName: isOurSide ? point.groupName : null,
        agreementCondition: point.condition,
        quorum: point.quorum,
        isEdsPresentationRequired: point.isEdsRequired,
        keyHolder: point.keyHolder,
        keyHolderIin: isOurSide || isOfSender(seen, viewer) ? point.keyHolderIin : null,
        signatureForm: point.signatureForm,
        ...stateFor(point, mine),
        turnCameAt: point.turnCameAt?.toISOString() ?? null,
        doneAt: point.doneAt?.toISOString() ?? null,
        dueOn: point.dueOn,
        escalation: isOfSender(seen, viewer) ? escalationView(point) : null,
        participants:
          isOurSide && viewer.organizationId !== null
            ? point.participants.filter(({ id }) => seesAnswers || id === viewer.id)
            : [],
        acts: [
          ...acts.filter(isHere).map(actView),
          ...(point.isAudience && seesAnswers ? answers.filter(isHere) : mine).flatMap(signingView),
        ].toSorted((a, b) => a.at.localeCompare(b.at)),
        openings: (seesOpenings(seen, ofPoint, viewer) ? opened : [])
          .filter(isHere)
          .map(({ actor, at }) => ({ ...shownName(actor), at: at.toISOString() })),
        place: point.attempt === 0 ? placeIn(row.revision, point.place) : null,
        proposal: proposalView(proposals.find(({ number }) => number === point.proposal)),
        signatures: mine.map(signatureView),
        isMine: rule !== undefined && mayActAt(rule, viewer),
        takesMyKey: rule === undefined || !isAskedAt(rule, viewer) || takesKeyOf(rule, viewer),
        hasPower: rule?.matter !== undefined && isRepresented(rule.matter),
        actsInsteadOf: rule ? absentFor(rule, point, viewer) : null,
      },
    ]
  })
}

/** At the point of a campaign everybody sees the state of their own signature only. */
function stateFor(
  { isAudience, status, reason }: PointRow,
  own: readonly SignatureRow[],
): Pick<PointView, 'status' | 'statusDescriptionData'> {
  const stored = status as PointView['status']
  if (!isAudience) return { status: stored, statusDescriptionData: reason }
  const last = own.at(-1)
  const isAsked = pointStatusOf(status) === 'Waiting'
  if (!isAsked || !last || last.state === 'accepted') return { status: stored, statusDescriptionData: null }
  if (last.state === 'checking') return { status: pointStatuses.Validation, statusDescriptionData: null }
  const code = signatureView(last).verdict?.code ?? null
  const parameters = { ...shownName(last.actor), comment: last.comment, code }
  return {
    status: pointStatuses.ValidationError,
    statusDescriptionData: { alias: refusalOfCode(code), parameters },
  }
}

function proposalView(found: ProposalRow | undefined): PointView['proposal'] {
  if (!found) return null
  const { number, fileName, format, size, actor, at, comment } = found
  return { number, fileName, format, size, by: actor && shownName(actor), at: at.toISOString(), comment }
}

/** Null: nobody is named, or the named group or person no longer exists. */
function escalationView({ escalationName, escalationActs, escalatedAt }: PointRow): PointView['escalation'] {
  if (escalationName === null) return null
  return { name: escalationName, mayAct: escalationActs, at: escalatedAt?.toISOString() ?? null }
}

/** Whether the point takes the key of this viewer, who is asked there. */
function takesKeyOf(point: AskedAt, viewer: Viewer): boolean {
  return mayActAt(point, viewer) && !isAnotherNamed(point, viewer)
}

/** The absent colleague for whom the next act of the viewer counts. */
export function absentFor(rule: RequestPoint, row: PointRow, viewer: Viewer): string | null {
  const part = partOf(rule, viewer)
  const people = [...row.participants, ...row.escalationPeople]
  return people.find(({ id }) => id === part && id !== viewer.id)?.fullName ?? null
}

function externalNumber({ type, bin }: PointRow): string | null {
  return sideOf(typeOf(type)!) === 'external' && bin !== '' ? bin : null
}

/**
 * Accepted signatures of the signing points; approvals with a key are internal to an organisation and not shown to
 * others.
 */
export async function findSigningSignatures(
  db: Db,
  { row, signing }: Pick<LoadedRequest, 'row' | 'signing'>,
): Promise<SignatureRow[]> {
  const points = signingPointIds(signing)
  const all = await findSignatures(db, row.id, 0)
  return all.filter(({ state, pointId }) => state === 'accepted' && points.includes(pointId))
}

export function senderView({ senderName, senderBin, senderConfirmedAt }: RequestRow): z.input<typeof Sender> {
  return {
    shortName: senderName,
    bin: senderBin,
    confirmedAt: senderConfirmedAt?.toISOString() ?? null,
  }
}

export function signatureView(row: SignatureRow): z.input<typeof SignatureView> {
  const verdict = row.verdict as Selectable<Schema['requestSignatures']>['verdict'] &
    z.input<typeof SignatureView>['verdict']
  return {
    id: row.id,
    by: shownName(row.actor),
    comment: row.comment,
    receivedAt: row.receivedAt.toISOString(),
    state: row.state,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    checkedAt: row.state === 'checking' ? null : (row.lastCheckedAt?.toISOString() ?? null),
    verdict,
    certificate: certificateOf(row),
    power: row.power && powerView(row.power),
  }
}

function certificateOf({ owner, stampedAt }: SignatureRow): CertificateFacts | null {
  const facts = owner as CertificateFacts | null
  return facts && { ...facts, timestampTime: facts.timestampTime ?? stampedAt?.toISOString() ?? null }
}

/** Others see the number and term of a power; the document itself belongs to the organisation that gave it. */
function powerView({ number, validFrom, validUntil }: StoredPower) {
  return { number, validFrom, validUntil }
}

function signingView({ state, actor, receivedAt, comment, id }: SignedAnswer): ActView[] {
  if (state !== 'accepted') return []
  return [{ act: 'signed', ...shownName(actor), at: receivedAt.toISOString(), comment, signatureId: id }]
}

function actView({ type, actor, at, comment }: ActRow): ActView {
  return {
    act: type as ActView['act'],
    ...shownName(actor),
    at: at.toISOString(),
    comment,
    signatureId: null,
  }
}
