/** The page that follows a request sent without an account, the letters about it that people may stop, and the sweep. */
import type { FastifyInstance } from 'fastify'
import type { Database, Db } from '@kelisim/db/db.ts'
import { mediaTypes } from '@kelisim/domain/documents/formats.ts'
import { hour } from '@kelisim/domain/durations.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import {
  downloadFollowed,
  downloadFollowedSigned,
  followRequest,
  stopLetters,
} from '@kelisim/domain/landing/quick-send-contract.ts'
import { followLife, transactionLife } from '@kelisim/domain/landing/quick-send.ts'
import { stopPath } from '@kelisim/domain/notifications/contract.ts'
import { sideOf, typeOf } from '@kelisim/domain/points/point-types.ts'
import { pointStatuses } from '@kelisim/domain/requests/status.ts'
import { keyOf, type Storage } from '../documents/storage/storage.ts'
import { borrowVerified } from '../documents/storage/verified.ts'
import type { Files } from '../http/files.ts'
import type { Serve } from '../http/serve.ts'
import { isUnclaimed } from '../identity/core/unclaimed-queries.ts'
import { findStopped, stopLettersTo } from '../notifications/stopped-emails.ts'
import type { Unsubscribing } from '../notifications/unsubscribing.ts'
import { giveElectronic } from '../outputs/electronic.ts'
import { oneAtATime } from '../requests/reading/archive.ts'
import { findRequest } from '../requests/core/state.ts'
import { recipientAddress } from './quick-send-commit.ts'
import { hashOf, pendingPlace } from './transactions.ts'
import type { Loaded } from '../requests/core/loaded.ts'
import type { PointRow } from '../requests/core/queries/rows.ts'

export function followingHandlers(
  serve: Serve,
  files: Files,
  { storage, publicUrl }: { storage: Storage; publicUrl: URL },
): void {
  const inTurn = oneAtATime()

  serve(followRequest, async ({ input, db, now }) => {
    const { loaded, recipientEmail } = await followed(db, input.follow, now)
    const { row, signing } = loaded
    const outside = signing.find(({ type }) => sideOf(typeOf(type)!) === 'external')
    const stopped = await findStopped(db, [recipientEmail])
    return {
      signingRequestId: row.id,
      name: row.name,
      fileName: row.fileName,
      status: row.status,
      createdAt: row.createdAt.toISOString(),
      version: row.version,
      points: signing.map(pointView),
      isSigned: signing.some(({ status }) => status === pointStatuses.Signed),
      recipientUrl: recipientAddress(row.id, outside?.bin ?? '', publicUrl),
      recipientEmail,
      isMailed: stopped.size === 0,
      isClaimed: !(await isUnclaimed(db, row.organizationId)),
    }
  })

  files.give(downloadFollowed, async ({ input, db, now }) => {
    const { row } = (await followed(db, input.follow, now)).loaded
    const { fileId: id, organizationId, sha256, size } = row
    const borrowed = await borrowVerified(storage, { id, organizationId, sha256, size })
    return { ...borrowed, size, name: row.fileName, mediaType: mediaTypes[row.format] }
  })

  files.give(downloadFollowedSigned, async ({ input, db, now }) => {
    const { loaded } = await followed(db, input.follow, now)
    return inTurn(loaded.row.id, () => giveElectronic(db, storage, loaded, 'signing'))
  })
}

async function followed(
  db: Db,
  follow: string,
  now: Date,
): Promise<{ loaded: Loaded; recipientEmail: string }> {
  const row = await db
    .selectFrom('landingTransactions')
    .select(['requestId', 'recipientEmail'])
    .where('followHash', '=', hashOf(follow))
    .where('committedAt', '>', new Date(now.getTime() - followLife))
    .executeTakeFirst()
  const loaded = row?.requestId ? await findRequest(db, row.requestId) : undefined
  if (!row || !loaded) return refuse('follow-link-not-found')
  return { loaded, recipientEmail: row.recipientEmail ?? '' }
}

/** Who signed, and why somebody did not want to: what was said on the way is said to the sender. */
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

export function stoppingHandlers(
  app: FastifyInstance,
  serve: Serve,
  {
    database,
    unsubscribing,
    clock,
  }: { database: Database; unsubscribing: () => Promise<Unsubscribing>; clock: () => Date },
): void {
  const read = async (token: string) => (await unsubscribing()).readStop(token) ?? refuse('page-not-found')

  serve(stopLetters, async ({ input: { token, isOff }, write, now }) => {
    const hash = await read(token)
    await write((tx) => stopLettersTo(tx, hash, isOff, now))
    return { isOff }
  })

  // Sent by the mail program, without a session and in its own form: all that counts is in the address.
  void app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 10_000 }, (_, body, done) => {
      done(null, body)
    })
    const oneClick = { config: { access: 'anyone' } } as const
    scope.post<{ Params: { token: string } }>(stopPath(':token'), oneClick, async (request, reply) => {
      const hash = await read(request.params.token)
      await database.write((tx) => stopLettersTo(tx, hash, true, clock()))
      return reply.type('text/plain; charset=utf-8').send('OK')
    })
  })
}

const atOnce = 500

/** What was begun and not signed within a day goes, its file first. What became a request stays with it. */
export async function sweepTransactions({ db, write }: Database, storage: Storage, now: Date): Promise<void> {
  const before = new Date(now.getTime() - transactionLife - hour)
  // All of them, however many: whoever begins a lot must not be quicker than the sweep.
  for (let last = ''; ;) {
    const abandoned = await db
      .selectFrom('landingTransactions')
      .select(['id', 'fileId'])
      .where('committedAt', 'is', null)
      .where('createdAt', '<', before)
      .$if(last !== '', (query) => query.where('id', '>', last))
      .orderBy('id')
      .limit(atOnce)
      .execute()
    for (const { id, fileId } of abandoned) {
      if (fileId !== null) await storage.remove(keyOf(pendingPlace, fileId))
      await write((tx) =>
        tx.deleteFrom('landingTransactions').where('id', '=', id).where('committedAt', 'is', null).execute(),
      )
    }
    if (abandoned.length < atOnce) return
    last = abandoned.at(-1)!.id
  }
}
