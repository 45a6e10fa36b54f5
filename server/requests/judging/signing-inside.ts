/** Signing inside a PDF: the signed bytes are prepared again, kept, and saved with the act. */
import { createReadStream } from 'node:fs'
import type { Database, Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { discardAfterRollback, discardBytes, keepStream } from '../../documents/keep-bytes.ts'
import type { KeptFile } from '../../documents/storage/verified.ts'
import type { LoadedRequest } from '../core/loaded.ts'
import { refuseUnless, type Act } from '../core/perform.ts'
import { findRequestOfKey } from '../core/queries/act-keys.ts'
import { claimantOf, isInside } from '../signed-pdf/handlers.ts'
import {
  isPreparedLately,
  prepareRevision,
  type Prepared,
  type PreparingDependencies,
} from '../signed-pdf/preparing.ts'
import { signatureRoom } from '../signed-pdf/revisions.ts'
import { signAtPoint, type SubmittedSignature } from './signing.ts'

type InsideCall = {
  db: Db
  write: Database['write']
  now: Date
  act: Act
  /** What the signer signed: when it was prepared, and its SHA-256 in hexadecimal digits. */
  prepared: { at: string; sha256: string }
}

export function longerThanRoom({ cms, timestampedCms }: SubmittedSignature): boolean {
  return Math.max(cms.length, timestampedCms?.length ?? 0) > signatureRoom
}

/** False: the same act was done by an earlier call. */
export async function signInside(
  { db, write, now, act, prepared: { at, sha256 } }: InsideCall,
  dependencies: PreparingDependencies,
  loaded: LoadedRequest,
  submitted: SubmittedSignature,
  checkFurther: (loaded: LoadedRequest) => void,
): Promise<boolean> {
  const { key, party } = act
  // The signature of the earlier call may already have made a new revision.
  if (key !== undefined && (await findRequestOfKey(db, { actorId: party.actor.id, key })) !== null)
    return false
  if (!isInside(loaded, submitted.pointId)) refuse('wrong-request-configuration')
  // Checked before the slow work, and again when it is saved.
  refuseUnless(loaded, { type: 'sign', pointId: submitted.pointId, by: party.viewer, signatureId: '' }, now)
  const signedAt = new Date(at)
  if (!isPreparedLately(signedAt, now)) refuse('document-revised')
  const claimant = claimantOf(party)
  const prepared = await prepareRevision(db, dependencies, loaded, { at: signedAt, claimant })
  let file: KeptFile
  try {
    if (prepared.sha256.toString('hex') !== sha256) refuse('document-revised')
    file = await keptOf(prepared, dependencies, loaded)
  } finally {
    await prepared.release()
  }
  let isReferredTo = false
  try {
    const inside = { file, gap: prepared.gap, after: prepared.after }
    await write((tx) =>
      // The signature was prepared from the revision of that time.
      signAtPoint(tx, { ...act, over: loaded.row.revision }, { ...submitted, inside }, now, (found) => {
        checkFurther(found)
        isReferredTo = true
      }),
    )
  } catch (error) {
    await discardAfterRollback(dependencies.storage, file, error)
    throw error
  }
  if (!isReferredTo) await discardBytes(dependencies.storage, file)
  return isReferredTo
}

function keptOf(
  { path, size }: Prepared,
  { storage }: PreparingDependencies,
  { row }: LoadedRequest,
): Promise<KeptFile> {
  return keepStream(storage, row.organizationId, createReadStream(path), size)
}
