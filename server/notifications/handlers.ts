/** The bell, the event stream of a page, and links that turn off e-mails. */
import type { FastifyInstance } from 'fastify'
import type { Database, Db, Tx } from '@kelisim/db/db.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { emptyId } from '@kelisim/domain/fields.ts'
import {
  countUnread,
  getNotices,
  getSubscription,
  NoticeView,
  readNotices,
  saveSubscription,
  unsubscribePath,
  watchPage,
} from '@kelisim/domain/notifications/contract.ts'
import type { Serve } from '../http/serve.ts'
import { isOutsider } from '../http/session.ts'
import type { Streams } from '../http/streams.ts'
import { findNotificationModes, saveNotificationMode } from '../options/queries.ts'
import type { Changes } from '../requests/core/changes.ts'
import { partyOf, visibleRequest } from '../requests/core/party.ts'
import { countUnreadOf, findNotices, markRead } from './queries/bell.ts'
import { findOrganizationOfMember } from './queries/people.ts'
import type { Subscription, SignedLinks } from '../mail/signed-links.ts'
import { announce, ofPerson } from '../requests/core/queries/changes.ts'

export function noticeHandlers(serve: Serve): void {
  serve(getNotices, async ({ input, who, db }) => {
    const { items, totalCount } = await findNotices(db, ownerOf(who), input)
    return {
      totalCount,
      items: items.map(({ requestId, about, createdAt, readAt, ...notice }) => ({
        ...notice,
        ...about,
        kind: NoticeView.shape.kind.parse(notice.kind),
        signingRequestId: requestId,
        createdAt: createdAt.toISOString(),
        isRead: readAt !== null,
      })),
    }
  })

  serve(countUnread, async ({ who, db }) => ({ unreadCount: await countUnreadOf(db, ownerOf(who)) }))

  serve(readNotices, ({ input, who, write, now }) =>
    write(async (tx) => {
      await markRead(tx, ownerOf(who), input, now)
      // Other open pages of this person refresh their count.
      await announce(tx, ofPerson(who.userId), 0)
      return { unreadCount: await countUnreadOf(tx, ownerOf(who)) }
    }),
  )
}

function ownerOf(who: { userId: string; member: { organizationId: string } }) {
  return { userId: who.userId, organizationId: who.member.organizationId }
}

/** Streams of open pages. Each listens before reading, so that no change in between is missed. */
export function liveStreams(streams: Streams, changes: Changes, database: Database): void {
  streams.give(watchPage, async ({ input, who, db, now }, send) => {
    const leaves: (() => void)[] = []
    const leave = () => {
      for (const one of leaves) one()
    }
    try {
      if (!isOutsider(who) && input.organizationId !== emptyId) {
        const owner = { userId: who.userId, organizationId: input.organizationId }
        const count = async () =>
          send({ type: 'notices', unreadCount: await countUnreadOf(database.db, owner) })
        // A failed count is repeated with the next change.
        leaves.push(changes.on(ofPerson(who.userId), () => void count().catch(() => {})))
        await count()
      }
      const { signingRequestId } = input
      if (signingRequestId !== undefined) {
        const party = await partyOf(db, who, now)
        const version = (currentVersion: number) =>
          send({ type: 'request', signingRequestId, currentVersion })
        leaves.push(changes.on(signingRequestId, version))
        version((await visibleRequest(db, signingRequestId, party)).row.version)
      }
      return leave
    } catch (error) {
      leave()
      throw error
    }
  })
}

export function subscriptionLinkHandlers(
  app: FastifyInstance,
  serve: Serve,
  { database, signedLinks }: { database: Database; signedLinks: () => Promise<SignedLinks> },
): void {
  const read = async (token: string) => (await signedLinks()).read(token) ?? refuse('page-not-found')

  serve(getSubscription, async ({ input, db }) => viewOf(db, await read(input.token)))

  serve(saveSubscription, async ({ input, write }) => {
    const subscription = await read(input.token)
    return write((tx) => saveChoice(tx, subscription, input.isOff))
  })

  // Sent by mail programs without a session (RFC 8058); the token in the path is all that matters.
  void app.register(async (scope) => {
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 10_000 }, (_, body, done) => {
      done(null, body)
    })
    const oneClick = { config: { access: 'anyone' } } as const
    scope.post<{ Params: { token: string } }>(unsubscribePath(':token'), oneClick, async (request, reply) => {
      const subscription = await read(request.params.token)
      await database.write((tx) => saveChoice(tx, subscription, true))
      return reply.type('text/plain; charset=utf-8').send('OK')
    })
  })
}

async function saveChoice(tx: Tx, subscription: Subscription, isOff: boolean) {
  await viewOf(tx, subscription)
  const { organizationId, userId, kinds, isDaily } = subscription
  const mode = isOff ? 'off' : isDaily ? 'daily' : 'at-once'
  for (const kind of kinds) await saveNotificationMode(tx, organizationId, userId, { kind, mode })
  return viewOf(tx, subscription)
}

/** Former members get no e-mails, so there is nothing to choose. */
async function viewOf(db: Db, { kinds, userId, organizationId }: Subscription) {
  const organizationName = await findOrganizationOfMember(db, { userId, organizationId })
  if (organizationName === undefined) return refuse('page-not-found')
  const modes = await findNotificationModes(db, organizationId, userId)
  const isOff = kinds.every((kind) => modes.get(kind) === 'off')
  return { kinds: [...kinds], organizationName, isOff }
}
