/** Sending again: the values with which the author begins, and the ended request that the new one replaces. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { maySee as maySeeDocument } from '@kelisim/domain/documents/permissions.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { StoredConditions } from '@kelisim/domain/routes/condition-contract.ts'
import { getSendingAgain } from '@kelisim/domain/requests/sending/again-contract.ts'
import { whyNotSendAgain } from '@kelisim/domain/requests/sending/again.ts'
import { actOf, sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { maySeeRoute } from '@kelisim/domain/routes/permissions.ts'
import { findDocument } from '../../documents/queries.ts'
import type { Caller, Serve } from '../../http/serve.ts'
import { findRoute } from '../../routes/queries.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { lockVisibleRequest, partyOf, visibleRequest, type Party } from '../core/party.ts'
import { findClassifiersByRequest } from '../core/queries/classifiers.ts'
import { findFollower } from '../core/queries/requests.ts'

export function sendingAgainHandlers(serve: Serve): void {
  serve(getSendingAgain, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const { row } = loaded
    refuseEnded(loaded, party, await findFollower(db, row.id))
    const tags = await findClassifiersByRequest(db, [row.id])
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      status: row.status,
      signingDate: row.signingDate,
      isTimestampRequired: row.isTimestampRequired,
      generationSetting: {
        additionalComponents: row.additionalComponents,
        accessCodeExpirationDate: row.accessCodeExpiresOn,
      },
      classificatorsV2: (tags.get(row.id) ?? []).map(({ classificatorId }) => classificatorId),
      kindId: row.kindId,
      facts: (row.conditions as StoredConditions | null)?.facts ?? null,
      documentId: await documentOf(db, loaded, who),
      route: await routeOf(db, loaded, who),
      quick: row.isQuick ? quickOf(loaded) : null,
    }
  })
}

/** Locks the ended request, so that it is replaced only once, even if it is sent again from two windows. */
export async function refuseToFollow(
  tx: Tx,
  { followsId, signingRequestId }: { followsId?: string | undefined; signingRequestId?: string | undefined },
  party: Party,
): Promise<void> {
  if (followsId === undefined) return
  const loaded = await lockVisibleRequest(tx, followsId, party)
  const followerId = await findFollower(tx, followsId)
  // A call repeated while the first was running is not another request.
  const isRepeated = followerId !== undefined && followerId === signingRequestId
  refuseEnded(loaded, party, isRepeated ? undefined : followerId)
}

function refuseEnded(
  { row, request }: LoadedRequest,
  { viewer }: Party,
  followerId: string | undefined,
): void {
  const { organizationId, authorId } = row
  const isFollowed = followerId !== undefined
  const alias = whyNotSendAgain({ organizationId, authorId, status: request.status, isFollowed }, viewer)
  if (alias) refuse(alias)
}

async function documentOf(db: Db, { row }: LoadedRequest, who: Caller<'member'>): Promise<string | null> {
  if (row.documentId === null) return null
  const document = await findDocument(db, row.organizationId, row.documentId)
  const isSeen = document && maySeeDocument({ ...document, isInLiveRequest: false }, who)
  return isSeen ? document.id : null
}

async function routeOf(db: Db, { row }: LoadedRequest, who: Caller<'member'>) {
  if (row.routeId === null) return null
  const route = await findRoute(db, row.organizationId, 'route', row.routeId)
  const isSent = route?.isActive && maySeeRoute({ userId: who.userId, ...who.member }, route)
  return isSent ? { id: route.id, currentVersion: route.version } : null
}

function quickOf({ signing }: LoadedRequest) {
  const ours = signing.find(({ type }) => sideOf(typeOf(type)!) === 'internal')
  const theirs = signing.find(({ type }) => sideOf(typeOf(type)!) === 'external')
  return {
    groupId: ours?.groupName === null ? null : (ours?.groupId ?? null),
    isForInformation: theirs !== undefined && actOf(typeOf(theirs.type)!) === 'inform',
    bin: theirs?.bin ?? '',
    organizationName: theirs?.organizationName ?? '',
    emails: theirs?.emails ?? [],
  }
}
