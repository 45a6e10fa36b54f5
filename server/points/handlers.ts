/** Points: lists, changes and deletion; published points and contractors. */
import { isForeignKeyViolation, type Db, type Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import { mayEditPoints, reachesRoles } from '@kelisim/domain/identity/permissions.ts'
import { roles } from '@kelisim/domain/identity/roles.ts'
import { isPersonNumber } from '@kelisim/domain/numbers.ts'
import { listOwners } from '@kelisim/domain/bits.ts'
import {
  addPoint,
  deletePoint,
  fieldsFrom,
  type PointInput,
  findPublishedPoints,
  getContractor,
  getPoint,
  getPoints,
  getReceivingOptions,
  savePoint,
} from '@kelisim/domain/points/contract.ts'
import {
  fittingFields,
  mayDeletePoint,
  mayEditPoint,
  maySeePoint,
  whyNotGroup,
  isPaused,
  whyNotPublish,
  whyNotSendTo,
  type PointFields,
  type SavedFields,
  type PointScope,
  type Viewer,
} from '@kelisim/domain/points/point.ts'
import {
  coarseTypes,
  pointTypes,
  selectableMask,
  sideOf,
  typeOf,
  type PointType,
} from '@kelisim/domain/points/point-types.ts'
import type { Uses } from '@kelisim/domain/uses/contract.ts'
import { visibilityScopes } from '@kelisim/domain/visibility.ts'
import { keepDeleted } from '../deletions/queries.ts'
import type { Http } from '../http/open.ts'
import type { Caller } from '../http/serve.ts'
import { lookUpContractor, type ContractorDirectory } from './contractors.ts'
import {
  addPointRow,
  deletePointRow,
  findPoint,
  findPoints,
  lockGroup,
  savePointRow,
  type Piece,
  type PointRow,
} from './queries.ts'
import { findPublished, findReceiver, provedName } from './receiver-queries.ts'

/** The routes and templates that contain the point, as the caller may see them. */
export type UsesOfPoint = (
  db: Db,
  looking: { who: Caller<'member'>; now: Date },
  pointId: string,
) => Promise<Uses>

export type PointUses = { usesOf: UsesOfPoint; commonUsesOf: UsesOfPoint }
type PointsParts = PointUses & { directory: ContractorDirectory | undefined }

export function openPoints({ serve }: Http, parts: PointsParts): void {
  serve(getPoints, async ({ input, who, db }) => {
    const { organizationId, roles: mine } = who.member
    const role = input.userRole ?? 0
    if (!reachesRoles(mine, role)) refuse('roles-filter')
    const ownScope = input.ownScope || listOwners.all
    const { items, totalCount } = await findPoints(db, {
      organizationId,
      pieces: piecesOf(who.userId, {
        seesAll: roles.has(role, 'Owner'),
        ownScope,
        scopes: scopesOf(input.visibilityScope || visibilityScopes.all),
      }),
      types: pointTypes.list(input.pointType || selectableMask).map((type) => pointTypes.of(type)),
      exceptAuthor: listOwners.has(ownScope, 'My') ? null : who.userId,
      name: input.name ?? '',
      bin: input.bin ?? null,
      isActive: input.isActive ?? null,
      sort: input.sort,
      skip: input.skip,
      take: input.take,
    })
    const viewer = viewerOf(who)
    const isEnriched = input.enrichCreatorAndParticipants ?? false
    return { totalCount, items: items.map((row) => pointView(row, viewer, isEnriched)) }
  })

  serve(getPoint, async ({ input: { pointId }, who, db }) => {
    const viewer = viewerOf(who)
    return pointView(seen(await findPoint(db, who.member.organizationId, pointId), viewer), viewer, true)
  })

  serve(addPoint, ({ input, who, now, write }) => {
    const viewer = viewerOf(who)
    const { organizationId, options } = who.member
    if (!mayEditPoints(viewer.roles, options)) refuse('not-enough-permissions')
    const type = typeOf(input.type)!
    if (type === 'CounterParty') {
      const reason = whyNotPublish(options.allowedPointTypesForIncomingSigningRequests)
      if (reason) refuse(reason)
    }
    const fields = fittingFields(type, fieldsFrom(input))
    const { name, description } = input
    return write(async (tx) => {
      await mayBeSaved(tx, organizationId, type, fields)
      const id = newId(now.getTime())
      const author = { authorId: who.userId, createdAt: now }
      await addPointRow(tx, { id, organizationId, type: input.type, name, description, ...author, ...fields })
      return pointView((await findPoint(tx, organizationId, id))!, viewer, true)
    })
  })

  serve(savePoint, ({ input, who, now, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    const { pointId, name, description, isActive, currentVersion } = input
    return write(async (tx) => {
      const point = seen(await findPoint(tx, organizationId, pointId), viewer)
      if (!mayEditPoint(viewer, point)) refuse('not-enough-permissions')
      if (point.type !== input.type) {
        refuse('validation-failure', { fields: [{ path: 'type', code: 'incorrect' }] })
      }
      const type = typeOf(point.type)!
      const fields = fittingFields(type, {
        ...fieldsFrom(input),
        ...keyRuleToSave(input, point),
        // A caller that does not know the quorum leaves it as it is.
        quorum: input.quorum === undefined ? point.quorum : input.quorum,
        signatureForm: input.signatureForm ?? point.signatureForm,
      })
      await mayBeSaved(tx, organizationId, type, fields)
      const saved = { name, description, isActive, ...fields }
      if (!(await savePointRow(tx, pointId, currentVersion, saved))) refuse('request-changed')
      if (fields.scope === 'personal') {
        // Checked after the row is locked, so that a common route that is saved at the same time is not missed.
        const found = await parts.commonUsesOf(tx, { who, now }, pointId)
        if (found.uses.length + found.more > 0) refuse('common-route-with-personal-points', found)
      }
      return pointView((await findPoint(tx, organizationId, pointId))!, viewer, true)
    })
  })

  serve(deletePoint, async ({ input: { pointId }, who, now, db, write }) => {
    const viewer = viewerOf(who)
    const { organizationId } = who.member
    try {
      return await write(async (tx) => {
        const point = seen(await findPoint(tx, organizationId, pointId), viewer)
        if (!mayDeletePoint(viewer, point)) refuse('not-enough-permissions')
        const deleted = { kind: 'point', id: pointId, organizationId, by: who.userId, at: now } as const
        const deletionId = await keepDeleted(tx, deleted)
        await deletePointRow(tx, pointId)
        return { deletionId }
      })
    } catch (error) {
      // Foreign keys of its users prevent the deletion even under concurrency.
      if (!isForeignKeyViolation(error)) throw error
      return refuse('point-remove-error', await parts.usesOf(db, { who, now }, pointId))
    }
  })

  serve(findPublishedPoints, async ({ input: { bin, name = '', ...page }, db }) => {
    const receiver = await findReceiver(db, bin)
    const reason = receiver && (isPaused(receiver) ? 'receiver-paused' : whyNotPublish(receiver.accepts))
    // The answer must not reveal whether a person is known here, except by what they publish.
    const isHidden = isPersonNumber(bin) && reason !== null
    if (reason && !isHidden) refuse(reason)
    const organizationId = receiver && !isHidden ? receiver.organizationId : emptyId
    const { items, totalCount } = await findPublished(db, organizationId, { name, ...page })
    const about = { pointType: coarseTypes.counterParty, bin, organizationName: receiver?.name ?? '' }
    return { totalCount, items: items.map((row) => ({ ...row, ...about })) }
  })

  serve(getReceivingOptions, async ({ input: { bin }, db }) => {
    // The same answer for every person, known here or not, without a lookup.
    const receiver = isPersonNumber(bin) ? null : await findReceiver(db, bin)
    return { allowedPointTypesForIncomingSigningRequests: receiver?.accepts ?? byNumberAlone }
  })

  serve(getContractor, async ({ input: { bin }, now, db, write }) => {
    const { name, receiver } = await lookUpContractor({ db, write, now, directory: parts.directory }, bin)
    return {
      bin,
      name,
      isConfirmedHere: receiver !== null,
      allowedPointTypesForIncomingSigningRequests: receiver?.accepts ?? byNumberAlone,
    }
  })
}

/** A caller that does not name the rule keeps it, unless the number is another one. */
function keyRuleToSave(
  { keyHolder, keyHolderIin, bin }: Pick<PointInput, 'keyHolder' | 'keyHolderIin' | 'bin'>,
  point: PointRow,
): Pick<PointFields, 'keyHolder' | 'keyHolderIin'> {
  if (keyHolder !== undefined) return { keyHolder, keyHolderIin: keyHolderIin || null }
  if ((bin || null) !== point.bin) return { keyHolder: null, keyHolderIin: null }
  return { keyHolder: point.keyHolder, keyHolderIin: point.keyHolderIin }
}

/** What an unknown organisation accepts: points for its number only, because it has published none. */
const byNumberAlone = 1

/** The index ranges of points that the viewer may see and asked for. */
export function piecesOf(
  userId: string,
  wanted: { seesAll: boolean; ownScope: number; scopes: PointScope[] },
): Piece[] {
  const isOwnOnly = !listOwners.has(wanted.ownScope, 'Other')
  return wanted.scopes.flatMap((scope): Piece[] => {
    if (isOwnOnly) return [{ authorId: userId, scope }]
    if (scope === 'common' || wanted.seesAll) return [{ authorId: null, scope }]
    return listOwners.has(wanted.ownScope, 'My') ? [{ authorId: userId, scope }] : []
  })
}

function scopesOf(mask: number): PointScope[] {
  return visibilityScopes.list(mask).map((name) => (name === 'Public' ? 'common' : 'personal'))
}

/** Checks what depends on the database. */
async function mayBeSaved(
  tx: Tx,
  organizationId: string,
  type: PointType,
  { groupId, responsiblePersons, quorum, bin }: SavedFields,
): Promise<void> {
  if (groupId !== null) {
    const reason = whyNotGroup(await lockGroup(tx, organizationId, groupId), responsiblePersons, quorum)
    if (reason) refuse(reason)
  }
  if (bin !== null) {
    const receiver = await findReceiver(tx, bin)
    const reason = whyNotSendTo(sideOf(type), receiver, organizationId)
    if (reason) refuse(reason, { bin, name: provedName(bin, receiver) })
  }
}

function viewerOf(who: Caller<'member'>): Viewer {
  return { userId: who.userId, roles: who.member.roles, options: who.member.options }
}

/** A personal point of somebody else is refused like a missing one. */
function seen(point: PointRow | undefined, viewer: Viewer): PointRow {
  return point && maySeePoint(viewer, point) ? point : refuse('point-not-found')
}

function pointView(row: PointRow, viewer: Viewer, isEnriched: boolean) {
  const { authorId, authorName, groupId, groupName, ownBin, ownName, version, ...same } = row
  const type = typeOf(row.type)!
  return {
    ...same,
    pointType: coarseTypes[sideOf(type)],
    visibilityScope: visibilityScopes.members[row.scope === 'common' ? 'Public' : 'Private'],
    group: groupId === null ? null : { id: groupId, name: groupName ?? '' },
    bin: row.bin ?? ownBin,
    organizationName: row.bin === null ? ownName : row.organizationName,
    createdAt: row.createdAt.toISOString(),
    currentVersion: version,
    creator: isEnriched ? { userId: authorId, fullName: authorName } : null,
    participants: isEnriched ? row.participants : null,
    allowed: { edit: mayEditPoint(viewer, row), delete: mayDeletePoint(viewer, row) },
  }
}
