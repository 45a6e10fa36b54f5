/** Ending what was signed: a document of our own that every side that signed signs too (CHECKLIST.md Q-09). */
import { sql } from 'kysely'
import type { Db } from '@kelisim/db/db.ts'
import { Refusal, refuse } from '@kelisim/domain/errors.ts'
import { terminateRequest } from '@kelisim/domain/requests/termination-contract.ts'
import { terminatingWaitsUntil } from '@kelisim/domain/requests/tries.ts'
import { addFile, discardBytes, keepBytes } from '../../documents/keep-bytes.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { Serve } from '../../http/serve.ts'
import type { RichText } from '../../rich-text/rich-text.ts'
import { partyOf, seenRequest, type Party } from '../core/party.ts'
import { perform, refuseUnless } from '../core/perform.ts'
import { waiting } from '../judging/signing.ts'
import { terminatingDocument, type TerminationFacts } from './terminating-document.ts'
import { findNamesUnder, requestView } from '../core/views.ts'
import type { Loaded } from '../core/loaded.ts'

type Outside = { storage: Storage; richText: RichText }

export function terminationHandlers(serve: Serve, { storage, richText }: Outside): void {
  serve(terminateRequest, async ({ input, who, db, write, now, address }) => {
    const party = await partyOf(db, who, now)
    const { signingRequestId: requestId, comment, currentVersion, key } = input
    const command = { type: 'terminate', by: party.viewer } as const
    const before = await seenRequest(db, requestId, party)
    const show = async () => requestView(db, await seenRequest(db, requestId, party), party, now)
    if (key !== undefined && (await wasDone(db, party, key))) return show()
    // Asked before the document is made, and again when it is written: making it takes its time.
    refuseUnless(before, command, now)
    await refuseTooMany(db, requestId, party, now)
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
          await tx
            .insertInto('requestTerminations')
            .values({
              requestId,
              attempt: row.attempt + 1,
              begunBy: JSON.stringify(actor),
              begunAt: now,
              comment,
              fileId: file.id,
              fromStatus: row.status,
            })
            .execute()
        }),
      )
    } catch (error) {
      // Only where it is certain that nothing was written: when the connection breaks at the commit, nobody knows.
      if (error instanceof Refusal) await discardBytes(storage, file)
      throw error
    }
    // The same act by the same key was quicker, and has a document of its own.
    if (!isReferredTo) await discardBytes(storage, file)
    return show()
  })
}

async function wasDone(db: Db, { actor }: Party, key: string): Promise<boolean> {
  const done = await db
    .selectFrom('requestActKeys')
    .select('key')
    .where('actorId', '=', actor.id)
    .where('key', '=', key)
    .executeTakeFirst()
  return done !== undefined
}

/** Each attempt leaves a document and a round of asking behind, also where it is refused at once. */
async function refuseTooMany(db: Db, requestId: string, { actor }: Party, now: Date): Promise<void> {
  const begun = await db
    .selectFrom('requestTerminations')
    .select('begunAt')
    .where('requestId', '=', requestId)
    .where(sql<boolean>`begun_by->>'id' = ${actor.id}`)
    .execute()
  const until = terminatingWaitsUntil(
    begun.map(({ begunAt }) => begunAt),
    now,
  )
  if (until) refuse('too-many-terminations', waiting(until, now))
}

async function factsOf(
  db: Db,
  { row, signing }: Loaded,
  { actor }: Party,
  comment: string,
  now: Date,
): Promise<TerminationFacts> {
  const accepted = await findNamesUnder(db, { row, signing })
  const points = new Map(signing.map((point) => [point.pointId, point]))
  return {
    language: row.language,
    requestId: row.id,
    name: row.name,
    fileName: row.fileName,
    sha256: row.sha256.toString('hex'),
    signingDate: row.signingDate,
    sender: { name: row.shortName, number: row.bin },
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
