/** Sending requests, reading one, and acting on it. */
import { isUniqueViolation, type Db, type Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { mayQuickSend } from '@kelisim/domain/identity/permissions.ts'
import { formOfAll } from '@kelisim/domain/points/signature-form.ts'
import { isSigningType, pointTypes, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  actAtPoint,
  createQuickRequest,
  createRequest,
  getRequest,
  lockRequest,
  revokeRequest,
  tryRequest,
  unlockRequest,
  updateRequest,
} from '@kelisim/domain/requests/contract.ts'
import { actsOf, needsLock, whyNotLock } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import { extendLock, releaseLock, type Held } from '@kelisim/domain/requests/lock.ts'
import { mayEditRequest, speaksForSender } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { findClassifiersAmong } from '../../classifiers/queries.ts'
import type { Serve } from '../../http/serve.ts'
import { decodeSignature, refuseSignature } from '../../identity/confirmation/presented-signature.ts'
import { rehearsalView } from '../../routes/views.ts'
import { newSignatureId, type Judging } from '../judging/judging.ts'
import { endCodes } from '../core/access-codes.ts'
import { lockVisibleRequest, partyOf, visibleRequest, type Party } from '../core/party.ts'
import { perform, type Act } from '../core/perform.ts'
import {
  formOfRoute,
  routeToSend,
  sendableDocument,
  tryToSend,
  type SendingDependencies,
} from '../sending/sendable.ts'
import { addRequest } from '../sending/sending.ts'
import { quickPoints } from '../sending/sent-points.ts'
import {
  codeSettings,
  holdExistingDocument,
  requestFields,
  senderFacts,
  senderOf,
  type SentCall,
} from '../sending/sent-fields.ts'
import { refuseToFollow } from '../sending/again.ts'
import { refusePlacesBeyond, type CountPages } from '../sending/places.ts'
import { conditionsView, verdictsOf } from '../sending/conditions.ts'
import { signAtPoint } from '../judging/signing.ts'
import { longerThanRoom, signInside } from '../judging/signing-inside.ts'
import type { Revisions } from '../signed-pdf/revisions.ts'
import { findRequest, lockOf, turnOf } from '../core/state.ts'
import { requestView } from '../core/views.ts'
import { announce } from '../core/queries/changes.ts'
import { addRequestClassifiers, removeRequestClassifiers } from '../core/queries/classifiers.ts'
import { getOrganization } from '../core/queries/people.ts'
import { updateRequestRow } from '../core/queries/requests.ts'
import type { LoadedRequest } from '../core/loaded.ts'

type RequestDependencies = SendingDependencies & {
  judging: Judging | undefined
  revisions: Revisions
  countPages: CountPages
}

export function requestHandlers(serve: Serve, { judging, revisions, ...sending }: RequestDependencies): void {
  serve(createRequest, async (call) => {
    const { input, db, write, now } = call
    const sender = senderOf(call.who)
    const party = await partyOf(db, call.who, now)
    const form = await formOfRoute(db, sender, input)
    const document = await sendableDocument(db, sending, sender, input.documentId, form)
    await refusePlacesBeyond(sending, sender, document, input.places ?? [])
    const fields = requestFields(call)
    return onceOnly(call, party, async () => {
      await write(async (tx) => {
        await refuseToFollow(tx, input, party)
        const { route, points, conditions } = await routeToSend(tx, sender, input)
        // Somebody changed a point meanwhile, so the document was not tried for what is asked now.
        if (formOfAll(points) !== form) refuse('outdated-route', { currentVersion: route.version })
        await holdExistingDocument(tx, sender, document.id)
        const facts = senderFacts(await getOrganization(tx, sender.organizationId))
        const newRequest = { ...fields, sender: facts, document, route, points, conditions, isQuick: false }
        await addRequest(tx, sender, party, newRequest, now)
      })
      return shown(db, fields.id, party, now)
    })
  })

  serve(createQuickRequest, async (call) => {
    const { input, db, write, now } = call
    const sender = senderOf(call.who)
    if (!mayQuickSend(sender.member.roles, sender.member.options)) refuse('quick-send-not-allowed')
    const party = await partyOf(db, call.who, now)
    const document = await sendableDocument(db, sending, sender, input.documentId, 'cms')
    const fields = requestFields(call)
    return onceOnly(call, party, async () => {
      await write(async (tx) => {
        await refuseToFollow(tx, input, party)
        const organization = await getOrganization(tx, sender.organizationId)
        const points = await quickPoints(tx, { ...sender, ...organization }, input, now)
        const route = { id: null, name: '' }
        await holdExistingDocument(tx, sender, document.id)
        const facts = senderFacts(organization)
        const newRequest = { ...fields, sender: facts, document, route, points, isQuick: true }
        await addRequest(tx, sender, party, newRequest, now)
      })
      return shown(db, fields.id, party, now)
    })
  })

  serve(tryRequest, async ({ input, who, db, now }) => {
    const sender = senderOf(who)
    const { refusals, points, way } = await tryToSend(db, sending, sender, { ...input, now })
    return {
      refusals: refusals.map(({ alias, parameters }) => ({ alias, parameters: { ...parameters } })),
      rehearsal:
        points.length === 0 ? null : rehearsalView(points, [], sender.organizationId, verdictsOf(way)),
      conditions: conditionsView(way),
    }
  })

  serve(getRequest, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    return requestView(db, await visibleRequest(db, input.signingRequestId, party), party, now)
  })

  serve(updateRequest, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId, generationSetting, classificatorsV2, currentVersion } = input
    return write(async (tx) => {
      const { row } = await lockVisibleRequest(tx, signingRequestId, party)
      if (!mayEditRequest(row, party.viewer)) refuse('improper-role')
      if (currentVersion !== undefined && currentVersion !== row.version) refuse('request-changed')
      if (classificatorsV2) await saveClassifiers(tx, row, classificatorsV2)
      if (generationSetting) await endCodes(tx, row, generationSetting.additionalComponents)
      await updateRequestRow(tx, row.id, {
        version: row.version + 1,
        changedAt: now,
        ...(generationSetting && codeSettings(generationSetting, now)),
      })
      await announce(tx, row.id, row.version + 1)
      return shown(tx, signingRequestId, party, now)
    })
  })

  serve(revokeRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const act = actOf(input, party, address)
    return write(async (tx) => {
      await perform(tx, act, { type: 'withdraw', by: party.viewer }, now, async ({ row }) => {
        if (!speaksForSender(row, party.viewer)) refuse('not-enough-permissions')
      })
      return shown(tx, act.requestId, party, now)
    })
  })

  serve(actAtPoint, async ({ input, who, db, write, now, address, language }) => {
    const party = await partyOf(db, who, now)
    const act = { ...actOf(input, party, address), over: input.revision }
    const { pointId, action, signature } = input
    const by = party.viewer
    if (signature === undefined || action === 'reject') {
      if (action === 'sign') refuse('signature-needed')
      return write(async (tx) => {
        await perform(tx, act, { type: action, pointId, by, over: act.over }, now, async (loaded) =>
          atPointOf(input)(loaded),
        )
        return shown(tx, act.requestId, party, now)
      })
    }
    const cms = decodeSignature(signature) ?? refuseSignature(['not-a-signature'], language)
    const stamped = input.timestampedSignature
    const timestampedCms =
      stamped === undefined
        ? null
        : (decodeSignature(stamped) ?? refuseSignature(['not-a-signature'], language))
    const signatureId = newSignatureId(now)
    const submitted = { pointId, signatureId, cms, timestampedCms }
    if (input.prepared === undefined) {
      await write((tx) => signAtPoint(tx, act, submitted, now, atPointOf(input)))
    } else {
      if (longerThanRoom(submitted)) refuseSignature(['too-much'], language)
      const loaded = await visibleRequest(db, act.requestId, party)
      const dependencies = { storage: sending.storage, revisions }
      const call = { db, write, now, act, prepared: input.prepared }
      const isNew = await signInside(call, dependencies, loaded, submitted, atPointOf(input))
      if (!isNew) return shown(db, act.requestId, party, now)
    }
    // It is saved, so it will be judged even if this call fails now.
    await judging?.judgeSoon(signatureId)
    return shown(db, act.requestId, party, now)
  })

  serve(lockRequest, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    const by = party.actor.id
    const until = await write(async (tx) => {
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const { row, request } = loaded
      const alias = whyNotLock(request, party.viewer, now)
      if (alias) refuse(alias, { holder: row.lockName })
      if (!needsLock(request, party.viewer, now)) return now
      const turn = turnOf(row, request)
      const { until: lockUntil, held } = extendLock(lockOf(row), row.lockHeld, { turn, by, now })
      // After the longest time the person may still sign, but others need not wait.
      if (lockUntil === null) return now
      await saveLock(tx, row.id, { lockBy: by, lockName: holderName(loaded, party, now), lockUntil }, held)
      if (row.lockBy !== by) await announce(tx, row.id, row.version)
      return lockUntil
    })
    return { until: until.toISOString() }
  })

  serve(unlockRequest, async ({ input, who, db, write, now }) => {
    const party = await partyOf(db, who, now)
    await write(async (tx) => {
      const { row } = await lockVisibleRequest(tx, input.signingRequestId, party)
      const lock = lockOf(row)
      if (lock?.by !== party.actor.id) return
      const held = releaseLock(lock, row.lockHeld ?? { turn: '', by: {} }, now)
      await saveLock(tx, row.id, { lockBy: null, lockName: null, lockUntil: null }, held)
      await announce(tx, row.id, row.version)
    })
    return {}
  })
}

/** A client may repeat a call that got no response, even while the first is running: the same person gets the same request. */
async function onceOnly<V>(
  { input: { signingRequestId }, db, now }: Pick<SentCall, 'input' | 'now'> & { db: Db },
  party: Party,
  send: () => Promise<V>,
): Promise<V | Awaited<ReturnType<typeof requestView>>> {
  const there = signingRequestId && (await ownRequest(db, signingRequestId, party))
  if (there) return requestView(db, there, party, now)
  try {
    return await send()
  } catch (error) {
    if (!signingRequestId || !isUniqueViolation(error, 'signing_requests_pkey')) throw error
    const first = await ownRequest(db, signingRequestId, party)
    return requestView(db, first!, party, now)
  }
}

async function ownRequest(db: Db, id: string, { viewer }: Party): Promise<LoadedRequest | undefined> {
  const there = await findRequest(db, id)
  const isTheirs = there?.row.authorId === viewer.id && there.row.organizationId === viewer.organizationId
  return there && !isTheirs ? refuse('document-not-found') : there
}

async function saveClassifiers(
  tx: Tx,
  row: LoadedRequest['row'],
  classifierIds: readonly string[],
): Promise<void> {
  const known = await findClassifiersAmong(tx, row.organizationId, [...classifierIds])
  if (known.length < classifierIds.length) refuse('classificator-not-found')
  await removeRequestClassifiers(tx, row.id)
  await addRequestClassifiers(tx, row.id, classifierIds)
}

type ActInput = {
  signingRequestId: string
  currentVersion?: number | undefined
  key?: string | undefined
  comment: string
}

function actOf(
  { signingRequestId, currentVersion, key, comment }: ActInput,
  party: Party,
  address: string,
): Act {
  return { requestId: signingRequestId, currentVersion, key, comment, party, address }
}

/** The path of the call names the type of the point, which must match. */
function atPointOf({
  pointId,
  pointTypeName,
}: {
  pointId: string
  pointTypeName: (typeof pointTypes.names)[number]
}) {
  return ({ signing }: LoadedRequest): void => {
    const point = signing.find((one) => one.pointId === pointId)
    if (point && point.type !== pointTypes.of(pointTypeName)) refuse('wrong-request-configuration')
  }
}

/** Signers are visible to everybody; of a person who approves with a key, others see only the organisation. */
function holderName({ signing, request }: LoadedRequest, { viewer, actor }: Party, now: Date): string {
  const signable = actsOf(request, viewer, now).flatMap(({ act, pointId }) =>
    act === 'sign' ? [pointId] : [],
  )
  const points = signing.filter(({ pointId }) => signable.includes(pointId))
  const isSigner = points.some(({ type }) => isSigningType(typeOf(type)!))
  return isSigner ? actor.fullName : (points[0]?.organizationName ?? '')
}

async function saveLock(
  tx: Tx,
  id: string,
  lock: { lockBy: string | null; lockName: string | null; lockUntil: Date | null },
  held: Held,
): Promise<void> {
  await updateRequestRow(tx, id, { ...lock, lockHeld: JSON.stringify(held) })
}

async function shown(db: Db, requestId: string, party: Party, now: Date) {
  return requestView(db, await visibleRequest(db, requestId, party), party, now)
}
