/** A request as the caller is shown it: what they may see of it, and what they may do. */
import { sql, type Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { Db } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { coarseTypes, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import type { RequestPointView, SignatureView, SigningRequest } from '@kelisim/domain/requests/contract.ts'
import { mayActAt, partOf } from '@kelisim/domain/requests/asked.ts'
import { type RequestPoint } from '@kelisim/domain/requests/life-cycle.ts'
import { isHeld } from '@kelisim/domain/requests/lock.ts'
import {
  actsFor,
  isOfSender,
  mayEditRequest,
  seesPoint,
  type Viewer,
} from '@kelisim/domain/requests/permissions.ts'
import type { CertificateFacts } from '../../signatures/kept-evidence.ts'
import type { Party } from './party.ts'
import { shownName } from './state.ts'
import { signingPointIds, type Loaded, type PointRow } from './loaded.ts'

type View = z.input<typeof SigningRequest>
type PointView = z.input<typeof RequestPointView>
type ShownAct = PointView['acts'][number]

export async function requestView(
  db: Db,
  loaded: Loaded,
  { viewer }: Pick<Party, 'viewer'>,
  now: Date,
): Promise<View> {
  const { row, request } = loaded
  const seen = { ...row, points: request.points }
  const [signatures, deeds, tags, termination, withdrawal] = await Promise.all([
    findSignatures(db, row.id, row.attempt),
    findDeeds(db, row.id, row.attempt),
    findClassificatorsOf(db, [row.id]),
    row.attempt === 0 ? undefined : findTermination(db, row.id, row.attempt),
    request.status === 'Revoked' ? findWithdrawal(db, row.id) : undefined,
  ])
  const shown = { loaded, viewer, signatures, deeds }
  const isOurs = isOfSender(seen, viewer)
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
    },
    route: isOurs ? { id: row.routeId, name: row.routeName } : null,
    author: { id: row.authorId, fullName: row.authorName },
    organization: { id: row.organizationId, shortName: row.shortName, bin: row.bin },
    createdAt: row.createdAt.toISOString(),
    changedAt: row.changedAt.toISOString(),
    currentVersion: row.version,
    points: pointViews(shown, loaded.signing, request.points),
    termination: termination
      ? {
          attempt: row.attempt,
          begunBy: shownName(termination.begunBy),
          begunAt: termination.begunAt.toISOString(),
          comment: termination.comment,
          points: pointViews(shown, loaded.terminating, terminatingRules),
        }
      : null,
    canEdit,
    signingRequestActions: { canEdit },
    acts: actsFor(row, request, viewer, now),
    withdrawal: withdrawal
      ? {
          ...shownName(withdrawal.actor),
          at: withdrawal.at.toISOString(),
          comment: withdrawal.comment,
        }
      : null,
    lock: isHeldByAnother ? { fullName: row.lockName ?? '', until: row.lockUntil!.toISOString() } : null,
  }
}

type Shown = { loaded: Loaded; viewer: Viewer; signatures: SignatureRow[]; deeds: DeedRow[] }

function pointViews(
  { loaded, viewer, signatures, deeds }: Shown,
  rows: readonly PointRow[],
  rules: readonly RequestPoint[],
): PointView[] {
  const { row, request } = loaded
  const seen = { ...row, points: request.points }
  return rows.flatMap((point) => {
    const type = typeOf(point.type)!
    const ofPoint = {
      type,
      stoodIn: point.stoodIn,
      organizationId: point.actsForId,
      bin: externalNumber(point),
      participants: point.participants.map(({ id }) => id),
    }
    if (!seesPoint(seen, ofPoint, viewer)) return []
    const isHere = (one: { attempt: number; pointId: string | null }) =>
      one.attempt === point.attempt && one.pointId === point.pointId
    const mine = signatures.filter(isHere)
    // Whose people they are knows them; nobody else does.
    const isOurSide = point.organizationId === viewer.organizationId || mayActAt(ofPoint, viewer)
    const rule = rules.find(({ pointId }) => pointId === point.pointId)
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
        isEdsPresentationRequired: point.isEdsRequired,
        status: point.status as PointView['status'],
        statusDescriptionData: point.reason,
        turnCameAt: point.turnCameAt?.toISOString() ?? null,
        doneAt: point.doneAt?.toISOString() ?? null,
        participants: isOurSide && viewer.organizationId !== null ? point.participants : [],
        acts: [...deeds.filter(isHere).map(shownDeed), ...mine.flatMap(shownSigning)].toSorted((a, b) =>
          a.at.localeCompare(b.at),
        ),
        signatures: mine.map(signatureView),
        isMine: rule !== undefined && mayActAt(rule, viewer),
        actsInsteadOf: rule ? absentFor(rule, point, viewer) : null,
      },
    ]
  })
}

function absentFor(rule: RequestPoint, { participants }: PointRow, viewer: Viewer): string | null {
  const part = partOf(rule, viewer)
  return participants.find(({ id }) => id === part && id !== viewer.id)?.fullName ?? null
}

function externalNumber({ type, bin }: PointRow): string | null {
  return sideOf(typeOf(type)!) === 'external' && bin !== '' ? bin : null
}

type SignatureRow = Awaited<ReturnType<typeof findSignatures>>[number]

/** Of those that were refused the last ones at each point: whoever tries again and again makes no page longer for it. */
const mostRefused = 10

export function findSignatures(db: Db, requestId: string, attempt: number) {
  const numbered = db
    .selectFrom('requestSignatures')
    .select(['id', 'state'])
    .select(
      sql<number>`row_number() over (partition by attempt, point_id, state order by received_at desc, id desc)`.as(
        'place',
      ),
    )
    .where('requestId', '=', requestId)
    .where('attempt', 'in', [0, attempt])
  return (
    db
      .selectFrom(numbered.as('n'))
      .innerJoin('requestSignatures as s', 's.id', 'n.id')
      // asked for by us where it came without one
      .leftJoin('signatureTimestamps as t', 't.signatureId', 's.id')
      .select(['s.id', 's.attempt', 's.pointId', 's.actor', 's.comment', 's.receivedAt', 's.state'])
      .select(['s.nextTryAt', 's.verdict', 's.owner', 's.checkedAt', 't.time as stampedAt'])
      .where((eb) => eb.or([eb('n.state', '<>', 'refused'), eb('n.place', '<=', mostRefused)]))
      .orderBy('s.receivedAt')
      .orderBy('s.id')
      .execute()
  )
}

/** Those accepted at points that sign: who agreed within an organisation, though with a key, is not for others. */
export async function findNamesUnder(
  db: Db,
  { row, signing }: Pick<Loaded, 'row' | 'signing'>,
): Promise<SignatureRow[]> {
  const points = signingPointIds(signing)
  const all = await findSignatures(db, row.id, 0)
  return all.filter(({ state, pointId }) => state === 'accepted' && points.includes(pointId))
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
    verdict,
    certificate: certificateOf(row),
  }
}

function certificateOf({ owner, stampedAt }: SignatureRow): CertificateFacts | null {
  const facts = owner as CertificateFacts | null
  return facts && { ...facts, timestampTime: facts.timestampTime ?? stampedAt?.toISOString() ?? null }
}

function shownSigning({ state, actor, receivedAt, comment, id }: SignatureRow): ShownAct[] {
  if (state !== 'accepted') return []
  return [{ act: 'signed', ...shownName(actor), at: receivedAt.toISOString(), comment, signatureId: id }]
}

const deedTypes = ['approved', 'confirmed', 'rejected'] as const
type DeedRow = Awaited<ReturnType<typeof findDeeds>>[number]

function findDeeds(db: Db, requestId: string, attempt: number) {
  return db
    .selectFrom('requestEvents')
    .select(['type', 'attempt', 'pointId', 'actor', 'at', 'comment'])
    .where('requestId', '=', requestId)
    .where('type', 'in', deedTypes)
    .where('attempt', 'in', [0, attempt])
    .orderBy('number')
    .execute()
}

function shownDeed({ type, actor, at, comment }: DeedRow): ShownAct {
  return {
    act: type as ShownAct['act'],
    ...shownName(actor),
    at: at.toISOString(),
    comment,
    signatureId: null,
  }
}

/** The end of the history, where it is short to look. */
function findWithdrawal(db: Db, requestId: string) {
  return db
    .selectFrom('requestEvents')
    .select(['actor', 'at', 'comment'])
    .where('requestId', '=', requestId)
    .where('type', '=', 'withdrawn')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** By request, the tags by name. */
export async function findClassificatorsOf(db: Db, requestIds: readonly string[]) {
  if (requestIds.length === 0) return new Map<string, { classificatorId: string; name: string }[]>()
  const rows = await db
    .selectFrom('requestClassifiers as rc')
    .innerJoin('classifiers as c', 'c.id', 'rc.classifierId')
    .select(['rc.requestId', 'c.id as classificatorId', 'c.name'])
    .where('rc.requestId', 'in', requestIds)
    .orderBy('c.name')
    .execute()
  return Map.groupBy(rows, ({ requestId }) => requestId)
}

export function findTermination(db: Db, requestId: string, attempt: number) {
  return db
    .selectFrom('requestTerminations as t')
    .innerJoin('files as f', 'f.id', 't.fileId')
    .select(['t.begunBy', 't.begunAt', 't.comment', 't.fileId', 'f.organizationId', 'f.sha256', 'f.size'])
    .where('t.requestId', '=', requestId)
    .where('t.attempt', '=', attempt)
    .executeTakeFirst()
}
