/**
 * One signature with an archive timestamp inside (CAdES-LTA, decision 098). The timestamp covers the document's hash,
 * the signature and all evidence, so whoever keeps the file alone can prove it without this service. Made when
 * somebody asks.
 */
import type { Database, Db } from '@kelisim/db/db.ts'
import { day } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { downloadLongTerm, makeLongTerm } from '@kelisim/domain/outputs/long-term-contract.ts'
import { hash as hashOf } from '@kelisim/signature/algorithms/hash.ts'
import { archivedBytes, newIndex } from '@kelisim/signature/cms/archive-timestamp.ts'
import { addArchiveTimestamp } from '@kelisim/signature/cms/build.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import type { Storage } from '../../documents/storage/storage.ts'
import type { KeptFile } from '../../documents/storage/verified.ts'
import type { Files } from '../../http/files.ts'
import type { Serve } from '../../http/serve.ts'
import { signaturesSeen } from '../../requests/reading/handlers.ts'
import { partyOf, visibleRequest, type CallerIdentity } from '../../requests/core/party.ts'
import { serveBytes } from '../../requests/reading/served-bytes.ts'
import { durableCms, findKeptSignatures } from '../core/durable.ts'
import { digestOfFile } from './file-digest.ts'
import { archiveHash } from './hashes.ts'
import { addLongTerm, findLongTerm, findSignedFile, type LongTermSignature } from './long-term-queries.ts'
import { renewedBefore } from './records.ts'
import type { TakeTimestamp } from './services.ts'

export type LongTermDependencies = {
  storage: Storage
  /** Undefined: no timestamp service is configured. */
  takeTimestamp: TakeTimestamp | undefined
}

export function longTermHandlers(serve: Serve, files: Files, dependencies: LongTermDependencies): void {
  serve(makeLongTerm, async ({ input, who, db, write, now }) => {
    const { file } = await subjectOf(db, input, who, now)
    const { signingRequestId: requestId, signatureId } = input
    const { time, endsAt } = await keepLongTerm(
      { db, write, now, ...dependencies },
      { requestId, signatureId, file },
    )
    return { time: time.toISOString(), holdsUntil: endsAt.toISOString() }
  })

  files.give(downloadLongTerm, async ({ input, who, db, now }) => {
    const { fileName } = await subjectOf(db, input, who, now)
    const made = await findLongTerm(db, input.signatureId)
    if (!made) return refuse('signing-sign-not-found')
    return serveBytes(made.cms, { name: `${fileName}.cms`, mediaType: 'application/pkcs7-signature' })
  })
}

async function subjectOf(
  db: Db,
  { signingRequestId, signatureId }: { signingRequestId: string; signatureId: string },
  who: CallerIdentity,
  now: Date,
): Promise<{ file: KeptFile; fileName: string }> {
  const party = await partyOf(db, who, now)
  const loaded = await visibleRequest(db, signingRequestId, party)
  const found = await findSignedFile(db, signingRequestId, signatureId)
  const { pointId, actorId, ...file } = found ?? refuse('signing-sign-not-found')
  if (!signaturesSeen(loaded, party.viewer)({ pointId, actorId })) refuse('signing-sign-not-found')
  return { file, fileName: loaded.row.fileName }
}

type Keeping = LongTermDependencies & { db: Db; write: Database['write']; now: Date }

function isLong({ endsAt }: Pick<LongTermSignature, 'endsAt'>, now: Date): boolean {
  return Number(endsAt) - Number(now) > renewedBefore.timestamp
}

/** Limits repeated asking, which must not make a file with more timestamps than any program reads. */
function isFresh({ time }: Pick<LongTermSignature, 'time'>, now: Date): boolean {
  return Number(now) - Number(time) < day
}

/** Returns the signature that holds for long enough, or puts one more timestamp over everything there is. */
async function keepLongTerm(
  { db, write, now, storage, takeTimestamp }: Keeping,
  { requestId, signatureId, file }: { requestId: string; signatureId: string; file: KeptFile },
): Promise<Pick<LongTermSignature, 'time' | 'endsAt'>> {
  const before = await findLongTerm(db, signatureId)
  if (before && (isLong(before, now) || isFresh(before, now))) return before
  if (!takeTimestamp) return refuse('timestamp-unavailable')
  const [kept] = await findKeptSignatures(db, requestId, signatureId)
  const cms = before ? new Uint8Array(before.cms) : (await durableCms(db, kept!)).cms
  const data = readSignedData(cms)
  const signer = data.signers[0]!
  const name = archiveHash(now)
  const index = newIndex(data, signer, name)
  const covered = archivedBytes(data, signer, await digestOfFile(storage, name, file), index)
  const taken = await takeTimestamp(name, hashOf(name, covered)).catch(() => refuse('timestamp-unavailable'))
  const { token, ...stamp } = taken
  // A timestamp of a service whose own certificate ends soon adds nothing.
  if (before && taken.endsAt <= before.endsAt) return before
  const made = Buffer.from(addArchiveTimestamp(cms, 0, token, index))
  const number = (before?.number ?? -1) + 1
  await write((tx) => addLongTerm(tx, { signatureId, number, cms: made, ...stamp }))
  return (await findLongTerm(db, signatureId))!
}
