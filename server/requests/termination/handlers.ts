/**
 * Termination: every side that signed also signs a document that is generated here (docs/product/requests.md#q-09).
 */
import type { Db } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { terminatingWaitsUntil } from '@kelisim/domain/requests/tries.ts'
import { discardAfterRollback, discardBytes, keepBytes } from '../../documents/keep-bytes.ts'
import { addFile } from '../../documents/queries.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Serve } from '../../http/serve.ts'
import type { RichText } from '../../rich-text/rich-text.ts'
import { partyOf, visibleRequest, type Party } from '../core/party.ts'
import { perform, refuseUnless } from '../core/perform.ts'
import { findRequestOfKey } from '../core/queries/act-keys.ts'
import { addTermination, findTerminationTimes, hasMovedSide } from '../core/queries/terminations.ts'
import { waitParameters } from '../judging/signing.ts'
import { terminatingDocument, type TerminationFacts } from './terminating-document.ts'
import { findSigningSignatures, requestView } from '../core/views.ts'
import type { LoadedRequest } from '../core/loaded.ts'

type TerminationDependencies = { storage: Storage; richText: RichText }

export function terminationHandlers(serve: Serve, { storage, richText }: TerminationDependencies): void {
  serve(terminateRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, comment, currentVersion, key } = input
    const command = { type: 'terminate', by: party.viewer } as const
    const before = await visibleRequest(db, requestId, party)
    const show = async () => requestView(db, await visibleRequest(db, requestId, party), party, now)
    if (key !== undefined && (await findRequestOfKey(db, { actorId: party.actor.id, key })) !== null)
      return show()
    // Checked before the slow generation of the document, and again when it is saved.
    refuseUnless(before, command, now)
    await refuseTooMany(db, requestId, party, now)
    if (await hasMovedSide(db, requestId)) refuse('side-moved')
    const facts = await factsOf(db, before, party, comment, now)
    const file = await keepBytes(
      storage,
      before.row.organizationId,
      await terminatingDocument(richText, facts),
    )
    let isReferredTo = false
    try {
      const act = { requestId, party, currentVersion, key, comment, address }
      await write((tx) =>
        perform(tx, act, command, now, async ({ row }, actor) => {
          await refuseTooMany(tx, requestId, party, now)
          isReferredTo = true
          await addFile(tx, file, now)
          await addTermination(tx, {
            requestId,
            attempt: row.attempt + 1,
            begunBy: JSON.stringify(actor),
            begunAt: now,
            comment,
            fileId: file.id,
            fromStatus: row.status,
          })
        }),
      )
    } catch (error) {
      await discardAfterRollback(storage, file, error)
      throw error
    }
    // The same act was done by an earlier call, with a document of its own.
    if (!isReferredTo) await discardBytes(storage, file)
    return show()
  })
}

/** Every attempt leaves a document and notifications behind, even if it is rejected at once. */
async function refuseTooMany(db: Db, requestId: string, { actor }: Party, now: Date): Promise<void> {
  const until = terminatingWaitsUntil(await findTerminationTimes(db, requestId, actor.id), now)
  if (until) refuse('too-many-terminations', waitParameters(until, now))
}

async function factsOf(
  db: Db,
  { row, signing }: LoadedRequest,
  { actor }: Party,
  comment: string,
  now: Date,
): Promise<TerminationFacts> {
  const accepted = await findSigningSignatures(db, { row, signing })
  const points = new Map(signing.map((point) => [point.pointId, point]))
  return {
    language: row.language,
    requestId: row.id,
    name: row.name,
    fileName: row.fileName,
    sha256: row.sha256.toString('hex'),
    signingDate: row.signingDate,
    sender: { name: row.senderName, number: row.senderBin },
    signatures: accepted.flatMap(({ pointId, owner, actor: signer, receivedAt }) => {
      const point = points.get(pointId)
      const name = owner?.fullName ?? signer.fullName
      return point
        ? [{ party: { name: point.organizationName, number: point.bin }, signer: name, at: receivedAt }]
        : []
    }),
    comment,
    begunBy: actor.fullName,
    begunAt: now,
  }
}
