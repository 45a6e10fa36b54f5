/** A signature comes to a point, from the page or from the phone: decided on, and kept as it came, all or nothing. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { minute } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { refusedSignatures, signingWaitsUntil } from '@kelisim/domain/requests/tries.ts'
import { keepSignature } from './judging.ts'
import { perform, type Act } from '../core/perform.ts'
import type { Loaded } from '../core/loaded.ts'

export type Given = { pointId: string; signatureId: string; cms: Buffer; timestampedCms: Buffer | null }

export async function signAtPoint(
  tx: Tx,
  act: Act,
  { pointId, signatureId, cms, timestampedCms }: Given,
  now: Date,
  /** What else must hold. */
  look: (loaded: Loaded, signed: { attempt: number }) => void,
): Promise<void> {
  const { requestId, comment, address, party } = act
  const command = { type: 'sign', pointId, by: party.viewer, signatureId } as const
  await perform(tx, act, command, now, async (loaded, actor) => {
    const { attempt, fileId } = await signedFile(tx, loaded)
    look(loaded, { attempt })
    if (loaded.row.isTimestampRequired && timestampedCms === null) refuse('timestamp-needed')
    await refuseTooMany(tx, { requestId, attempt, pointId, actorId: party.actor.id }, now)
    const kept = { requestId, attempt, pointId, fileId, comment, address, actor }
    await keepSignature(tx, signatureId, { ...kept, cms, timestampedCms }, now)
  })
}

/** Whatever was refused is kept as it came: who brings bad signatures without end fills the house with them. */
async function refuseTooMany(
  tx: Tx,
  {
    requestId,
    attempt,
    pointId,
    actorId,
  }: Record<'requestId' | 'pointId' | 'actorId', string> & {
    attempt: number
  },
  now: Date,
): Promise<void> {
  const refused = await tx
    .selectFrom('requestSignatures')
    .select('receivedAt')
    .where('requestId', '=', requestId)
    .where('attempt', '=', attempt)
    .where('pointId', '=', pointId)
    .where('actorId', '=', actorId)
    .where('state', '=', 'refused')
    .orderBy('receivedAt', 'desc')
    .limit(refusedSignatures.inAll)
    .execute()
  const until = signingWaitsUntil(
    refused.map(({ receivedAt }) => receivedAt),
    now,
  )
  if (until) refuse('too-many-refused-signatures', waiting(until, now))
}

/** `minutes` null: no more at all. */
export function waiting(until: Date | 'never', now: Date): { minutes: number | null } {
  return { minutes: until === 'never' ? null : Math.ceil((until.getTime() - now.getTime()) / minute) }
}

/** What is signed now: the document, or the terminating document. */
export async function signedFile(
  db: Db,
  { row, request }: Loaded,
): Promise<{ attempt: number; fileId: string }> {
  if (request.termination === null) return { attempt: 0, fileId: row.fileId }
  const { fileId } = await db
    .selectFrom('requestTerminations')
    .select('fileId')
    .where('requestId', '=', row.id)
    .where('attempt', '=', row.attempt)
    .executeTakeFirstOrThrow()
  return { attempt: row.attempt, fileId }
}
