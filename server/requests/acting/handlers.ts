/** Acting on a request: at its points, revoking it, editing it, and the lock while somebody acts. */
import type { Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { isSigningType, pointTypes, typeOf } from '@kelisim/domain/points/point-types.ts'
import {
  actAtPoint,
  lockRequest,
  revokeRequest,
  unlockRequest,
  updateRequest,
} from '@kelisim/domain/requests/contract.ts'
import { actsOf, needsLock, whyNotLock } from '@kelisim/domain/requests/life-cycle/why-not.ts'
import { extendLock, releaseLock, type Held } from '@kelisim/domain/requests/lock.ts'
import { mayEditRequest, speaksForSender } from '@kelisim/domain/requests/life-cycle/permissions.ts'
import { findClassifiersAmong } from '../../classifiers/queries.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Serve } from '../../http/serve.ts'
import { decodeSignature, refuseSignature } from '../../identity/confirmation/presented-signature.ts'
import { newSignatureId, type Judging } from '../judging/judging.ts'
import { endCodes } from '../core/access-codes.ts'
import { lockVisibleRequest, partyOf, visibleRequest, type Party } from '../core/party.ts'
import { perform, type Act } from '../core/perform.ts'
import { codeSettings } from '../sending/sent-fields.ts'
import { signAtPoint } from '../judging/signing.ts'
import { longerThanRoom, signInside } from '../judging/signing-inside.ts'
import type { Revisions } from '../signed-pdf/revisions.ts'
import { lockOf, turnOf } from '../core/state.ts'
import { visibleRequestView } from '../core/visible-view.ts'
import { announce } from '../core/queries/changes.ts'
import { addRequestClassifiers, removeRequestClassifiers } from '../core/queries/classifiers.ts'
import { updateRequestRow } from '../core/queries/requests.ts'
import type { LoadedRequest } from '../core/loaded.ts'

type ActingDependencies = {
  storage: Storage
  judging: Judging | undefined
  revisions: Revisions
}

export function actingHandlers(serve: Serve, { storage, judging, revisions }: ActingDependencies): void {
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
      return visibleRequestView(tx, signingRequestId, party, now)
    })
  })

  serve(revokeRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const act = actOf(input, party, address)
    return write(async (tx) => {
      await perform(tx, act, { type: 'withdraw', by: party.viewer }, now, async ({ row }) => {
        if (!speaksForSender(row, party.viewer)) refuse('not-enough-permissions')
      })
      return visibleRequestView(tx, act.requestId, party, now)
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
        return visibleRequestView(tx, act.requestId, party, now)
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
      const dependencies = { storage, revisions }
      const call = { db, write, now, act, prepared: input.prepared }
      const isNew = await signInside(call, dependencies, loaded, submitted, atPointOf(input))
      if (!isNew) return visibleRequestView(db, act.requestId, party, now)
    }
    // The signature is saved, so it will be judged even if this call fails now.
    await judging?.judgeSoon(signatureId)
    return visibleRequestView(db, act.requestId, party, now)
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
      // After the longest time the person may still sign, but no longer keeps others waiting.
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

/** Signers are visible to everybody; for a person who approves with a key, others see only the organisation. */
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
