/** Tracking a request that was sent without an account, and the sweep of those that were not sent. */
import type { Database, Db } from '@kelisim/db/db.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { hour } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  downloadTracked,
  downloadTrackedSigned,
  trackRequest,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { trackingLife, transactionLife } from '@kelisim/domain/landing/quick-send.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import type { Files } from '../http/files.ts'
import type { Serve } from '../http/serve.ts'
import { isUnclaimed } from '../identity/core/unclaimed-queries.ts'
import { isStopped } from '../mail/stopped-emails.ts'
import { hasHeldNotice } from '../notifications/queries/held.ts'
import { giveElectronic } from '../outputs/electronic.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { findRequest } from '../requests/core/state.ts'
import { entryAddress, type SignedLinks } from '../mail/signed-links.ts'
import { findTracked, findUnsent, removeUnsent } from './queries.ts'
import { hashOf, pendingPlace } from './transactions.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { PointRow } from '../requests/core/queries/rows.ts'

export function trackingHandlers(
  serve: Serve,
  files: Files,
  {
    storage,
    publicUrl,
    signedLinks,
  }: { storage: Storage; publicUrl: URL; signedLinks: () => Promise<SignedLinks> },
): void {
  const limited = oneAtATime()

  serve(trackRequest, async ({ input, db, now }) => {
    const { loaded, recipientEmail } = await findTrackedRequest(db, input.follow, now)
    const { row, signing } = loaded
    const recipient = signing.find(({ type }) => sideOf(typeOf(type)!) === 'external')
    return {
      signingRequestId: row.id,
      name: row.name,
      fileName: row.fileName,
      status: row.status,
      createdAt: row.createdAt.toISOString(),
      version: row.version,
      points: signing.map(pointView),
      isSigned: signing.some(({ status }) => status === pointStatuses.Signed),
      recipientUrl: entryAddress(
        { requestId: row.id, number: recipient?.bin || null },
        { publicUrl, signedLinks: await signedLinks() },
      ),
      recipientEmail,
      isMailed: !(await isStopped(db, recipientEmail, row.organizationId)),
      isHeld: await hasHeldNotice(db, row.id),
      isClaimed: !(await isUnclaimed(db, row.organizationId)),
    }
  })

  files.give(downloadTracked, async ({ input, db, now }) => {
    const { row } = (await findTrackedRequest(db, input.follow, now)).loaded
    const { fileId: id, organizationId, sha256, size, destroyedAt } = row
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size, destroyedAt })
    return { ...borrowed, size, name: row.fileName, mediaType: mediaTypes[row.format] }
  })

  files.give(downloadTrackedSigned, async ({ input, db, now }) => {
    const { loaded } = await findTrackedRequest(db, input.follow, now)
    return limited(loaded.row.id, () => giveElectronic(db, storage, loaded, 'signing'))
  })
}

async function findTrackedRequest(
  db: Db,
  follow: string,
  now: Date,
): Promise<{ loaded: LoadedRequest; recipientEmail: string }> {
  const row = await findTracked(db, hashOf(follow), new Date(now.getTime() - trackingLife))
  const loaded = row?.requestId ? await findRequest(db, row.requestId) : undefined
  if (!row || !loaded) return refuse('follow-link-not-found')
  return { loaded, recipientEmail: row.recipientEmail ?? '' }
}

/** The signer, and the comment of a rejection, which is meant for the sender. */
function pointView(point: PointRow) {
  const { fullName, comment } = point.reason?.parameters ?? {}
  const isRejected = point.status === pointStatuses.Rejected
  const isSigned = point.status === pointStatuses.Signed
  return {
    organizationName: point.organizationName,
    bin: point.bin,
    status: point.status,
    isSender: sideOf(typeOf(point.type)!) === 'internal',
    doneAt: point.doneAt?.toISOString() ?? null,
    signedBy: isSigned && typeof fullName === 'string' ? fullName : null,
    comment: isRejected && typeof comment === 'string' ? comment : '',
  }
}

const batch = 500

/** Removes transactions that were not signed within a day; the file of each is removed first. */
export async function sweepTransactions({ db, write }: Database, storage: Storage, now: Date): Promise<void> {
  const before = new Date(now.getTime() - transactionLife - hour)
  // Loops until none is left, so that many new transactions cannot outrun the sweep.
  for (let afterId: string | null = null; ;) {
    const unsent: Awaited<ReturnType<typeof findUnsent>> = await findUnsent(db, {
      createdBefore: before,
      afterId,
      limit: batch,
    })
    for (const { id, fileId } of unsent) {
      if (fileId !== null) await storage.remove(keyOf(pendingPlace, fileId))
      await write((tx) => removeUnsent(tx, id))
    }
    if (unsent.length < batch) return
    afterId = unsent.at(-1)!.id
  }
}
