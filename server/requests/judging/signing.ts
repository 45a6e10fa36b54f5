/** Signing at a point, from the page or the phone: the act and the signature are saved in one transaction. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { SignatureForm } from '@kelisim/domain/points/signature-form.ts'
import { refusedSignatures, signingWaitsUntil } from '@kelisim/domain/requests/tries.ts'
import type { Gap } from '@kelisim/pdf/incremental/signature-increment.ts'
import { isXmlSignature } from '@kelisim/signature/xml/enveloped-element.ts'
import { addFile } from '../../documents/queries.ts'
import type { KeptFile } from '../../documents/storage/verified.ts'
import { formAt } from '../signed-pdf/handlers.ts'
import { newestRevision } from '../signed-pdf/preparing.ts'
import { keepSignature } from './judging.ts'
import { findEarlierSignatures } from './queries.ts'
import { perform, type Act } from '../core/perform.ts'
import { findTermination } from '../core/queries/terminations.ts'
import type { LoadedRequest } from '../core/loaded.ts'

export type SubmittedSignature = {
  pointId: string
  signatureId: string
  /** A CMS, or the element of a signature inside XML. */
  cms: Buffer
  timestampedCms: Buffer | null
  /** For a signature inside the document: the bytes that it covers. */
  inside?: SignedRevision | undefined
}

export type SignedRevision = {
  file: KeptFile
  gap: Gap
  /** The signature after which it was prepared; null: none was inside the document. */
  after: string | null
}

export async function signAtPoint(
  tx: Tx,
  act: Act,
  { pointId, signatureId, cms, timestampedCms, inside }: SubmittedSignature,
  now: Date,
  /** Further conditions of the caller; throws a refusal. */
  checkFurther: (loaded: LoadedRequest, signed: { attempt: number }) => void,
): Promise<boolean> {
  const { requestId, comment, address, party } = act
  const { over } = act
  const command = { type: 'sign', pointId, by: party.viewer, signatureId, over } as const
  return perform(tx, act, command, now, async (loaded, actor) => {
    const { attempt, fileId } = await signedFile(tx, loaded)
    checkFurther(loaded, { attempt })
    const form = formAt(loaded, pointId)
    // The signing program adds no timestamp to XML; the one requested here takes its place.
    if (loaded.row.isTimestampRequired && timestampedCms === null && form !== 'xades')
      refuse('timestamp-needed')
    await refuseRepeated(tx, { requestId, attempt, pointId, actorId: party.actor.id }, cms, now)
    const isInXml = isXmlSignature(cms)
    const given: SignatureForm = inside ? 'pades' : isInXml ? 'xades' : 'cms'
    if (given !== form || (isInXml && (inside || timestampedCms))) refuse('signature-inside-needed', { form })
    if (inside) await keepRevision(tx, requestId, inside, now)
    const { revision } = loaded.row
    const kept = { requestId, attempt, revision, pointId, comment, address, actor, gap: inside?.gap ?? null }
    await keepSignature(
      tx,
      signatureId,
      { ...kept, fileId: inside?.file.id ?? fileId, cms, timestampedCms },
      now,
    )
  })
}

/**
 * Refuses a signature over anything but the newest revision: a signature inside covers all before it, so it has to be
 * made again.
 */
async function keepRevision(
  tx: Tx,
  requestId: string,
  { file, after }: SignedRevision,
  now: Date,
): Promise<void> {
  const newest = await newestRevision(tx, requestId)
  if ((newest?.id ?? null) !== after) refuse('document-revised')
  await addFile(tx, file, now)
}

/**
 * Refuses a signature that was submitted before. Also refuses after too many refused ones: they are kept, and one
 * person must not be able to fill the storage.
 */
async function refuseRepeated(
  tx: Tx,
  at: { requestId: string; attempt: number; pointId: string; actorId: string },
  cms: Buffer,
  now: Date,
): Promise<void> {
  const { isSubmitted, refusedAt } = await findEarlierSignatures(tx, at, cms, refusedSignatures.inAll)
  if (isSubmitted) refuse('signature-used-before')
  const until = signingWaitsUntil(refusedAt, now)
  if (until) refuse('too-many-refused-signatures', waitParameters(until, now))
}

/** Parameters of a refusal; `minutes` is null if no further try is accepted. */
export function waitParameters(until: Date | 'never', now: Date): { minutes: number | null } {
  return { minutes: until === 'never' ? null : Math.ceil((until.getTime() - now.getTime()) / minute) }
}

/** The file to be signed now: the document, or the terminating document. */
export async function signedFile(
  db: Db,
  { row, request }: LoadedRequest,
): Promise<{ attempt: number; fileId: string }> {
  if (request.termination === null) return { attempt: 0, fileId: row.fileId }
  const { fileId } = (await findTermination(db, row.id, row.attempt))!
  return { attempt: row.attempt, fileId }
}
