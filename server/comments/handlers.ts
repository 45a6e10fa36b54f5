/** Comments on the document of a running request (decision 087). */
import type * as z from 'zod/mini'
import type { Db, Tx } from '@kelisim/db/db.ts'
import { newId } from '@kelisim/db/id.ts'
import {
  addAnswer,
  addThread,
  getThreads,
  mostComments,
  mostThreads,
  resolveThread,
  type ThreadView,
} from '@kelisim/domain/comments/contract.ts'
import { hasCounterparty, seesThread, whyNotComment } from '@kelisim/domain/comments/thread.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import type { Http } from '../http/open.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import { lockVisibleRequest, partyOf, visibleRequest, type Party } from '../requests/core/party.ts'
import { addActKey, findRequestOfKey } from '../requests/core/queries/act-keys.ts'
import { getOrganization } from '../requests/core/queries/people.ts'
import { visibleRevisions } from '../requests/core/revisions.ts'
import {
  addCommentRow,
  addThreadRow,
  countBegun,
  findComments,
  findThreadOfComment,
  findThreads,
  saveResolution,
  type CommentRow,
  type ThreadRow,
} from './queries.ts'
import { refreshPages, tellOfComment } from './telling.ts'

type CommentParts = { queueMail: QueueMail; signedLinks: () => Promise<SignedLinks> }

export function openComments({ serve, publicUrl }: Http, parts: CommentParts): void {
  const telling = (now: Date) => ({ ...parts, publicUrl, clock: () => now })

  serve(getThreads, async ({ input, who, db, now }) => {
    const party = await partyOf(db, who, now)
    const loaded = await visibleRequest(db, input.signingRequestId, party)
    const seen = await visibleThreads(db, loaded, party)
    const threads = seen.slice(input.skip, input.skip + input.take)
    const comments = await findComments(
      db,
      threads.map(({ id }) => id),
    )
    const byThread = Map.groupBy(comments, ({ threadId }) => threadId)
    const { request } = loaded
    const may = (isShared: boolean) => whyNotComment(request, party.viewer, isShared) === null
    return {
      items: threads.map((thread) => threadView(thread, byThread.get(thread.id) ?? [], party)),
      totalCount: seen.length,
      openCount: seen.filter(({ resolvedAt }) => resolvedAt === null).length,
      canWrite: { internal: may(false), shared: may(true) && hasCounterparty(request) },
    }
  })

  serve(addThread, ({ input, who, write, now }) =>
    write(async (tx) => {
      const party = await partyOf(tx, who, now)
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const repeated = await repeatedThread(tx, loaded, party, input.key, now)
      if (repeated !== undefined) return viewOf(tx, loaded, repeated, party)
      refuseUnlessWritable(loaded, party, input.isShared)
      const { row } = loaded
      if (input.revision !== row.revision) refuse('document-revised')
      const { organizationId } = party.viewer
      if ((await countBegun(tx, row.id, organizationId)) >= mostThreads) {
        refuse('too-many-comments', { most: mostThreads })
      }
      const { page, quote, area, isShared, revision } = input
      const thread: ThreadRow = {
        id: newId(now.getTime()),
        requestId: row.id,
        organizationId,
        isShared,
        revision,
        page,
        quote,
        area,
        createdAt: now,
        resolvedAt: null,
        resolvedBy: null,
      }
      await addThreadRow(tx, { ...thread, area: area && JSON.stringify(area), resolvedBy: null })
      const comment = await addComment(tx, loaded, party, { threadId: thread.id, ...input }, now)
      await tellOfComment(tx, loaded, party, thread, [comment], telling(now))
      return threadView(thread, [comment], party)
    }),
  )

  serve(addAnswer, ({ input, who, write, now }) =>
    write(async (tx) => {
      const party = await partyOf(tx, who, now)
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const thread = await visibleThread(tx, loaded, input.threadId, party)
      const repeated = await repeatedThread(tx, loaded, party, input.key, now)
      if (repeated !== undefined) return viewOf(tx, loaded, repeated, party)
      refuseUnlessWritable(loaded, party, thread.isShared)
      const before = await findComments(tx, [thread.id])
      if (before.length >= mostComments) refuse('too-many-comments', { most: mostComments })
      const comments = [...before, await addComment(tx, loaded, party, input, now)]
      await tellOfComment(tx, loaded, party, thread, comments, telling(now))
      return threadView(thread, comments, party)
    }),
  )

  serve(resolveThread, ({ input, who, write, now }) =>
    write(async (tx) => {
      const party = await partyOf(tx, who, now)
      const loaded = await lockVisibleRequest(tx, input.signingRequestId, party)
      const thread = await visibleThread(tx, loaded, input.threadId, party)
      refuseUnlessWritable(loaded, party, thread.isShared)
      if (input.isResolved !== (thread.resolvedAt !== null)) {
        await saveResolution(tx, thread.id, input.isResolved ? { by: party.actor, at: now } : null)
        await refreshPages(tx, loaded, thread)
      }
      return viewOf(tx, loaded, thread.id, party)
    }),
  )
}

function refuseUnlessWritable({ request }: LoadedRequest, { viewer }: Party, isShared: boolean): void {
  const alias = whyNotComment(request, viewer, isShared)
  if (alias) refuse(alias, { status: request.status })
}

async function visibleThreads(db: Db, loaded: LoadedRequest, { viewer }: Party): Promise<ThreadRow[]> {
  const { row } = loaded
  const earlier = await visibleRevisions(db, loaded, viewer)
  const revisions = [row.revision, ...earlier.map(({ revision }) => revision)]
  const threads = await findThreads(db, row.id)
  return threads.filter((thread) => seesThread(thread, viewer, revisions))
}

/** A thread that the caller may not see is refused like one that does not exist. */
async function visibleThread(
  db: Db,
  loaded: LoadedRequest,
  threadId: string,
  party: Party,
): Promise<ThreadRow> {
  const threads = await visibleThreads(db, loaded, party)
  return threads.find(({ id }) => id === threadId) ?? refuse('comment-not-found')
}

/** The thread of a comment that was written with this key before; undefined: it is new. */
async function repeatedThread(
  tx: Tx,
  { row }: LoadedRequest,
  { actor }: Party,
  key: string | undefined,
  now: Date,
): Promise<string | undefined> {
  if (key === undefined) return undefined
  const act = { actorId: actor.id, key }
  if (await addActKey(tx, { ...act, requestId: row.id, at: now })) return undefined
  const isHere = (await findRequestOfKey(tx, act)) === row.id
  return (isHere ? await findThreadOfComment(tx, key) : undefined) ?? refuse('wrong-request-configuration')
}

async function addComment(
  tx: Tx,
  { signing }: LoadedRequest,
  { viewer, actor }: Party,
  { threadId, text, key }: { threadId: string; text: string; key?: string | undefined },
  now: Date,
): Promise<CommentRow> {
  const { organizationId, numbers } = viewer
  const ofNumber = signing.find(({ bin }) => numbers.includes(bin))?.organizationName ?? ''
  const organizationName =
    organizationId === null ? ofNumber : (await getOrganization(tx, organizationId)).shortName
  const id = key ?? newId(now.getTime())
  const comment = { id, threadId, actor, organizationId, organizationName, at: now, text }
  await addCommentRow(tx, { ...comment, actor: JSON.stringify(actor) })
  return comment
}

async function viewOf(db: Db, loaded: LoadedRequest, threadId: string, party: Party) {
  const thread = await visibleThread(db, loaded, threadId, party)
  return threadView(thread, await findComments(db, [threadId]), party)
}

function threadView(
  thread: ThreadRow,
  comments: readonly CommentRow[],
  { actor }: Party,
): z.input<typeof ThreadView> {
  const { id, isShared, revision, page, quote, area, resolvedAt, resolvedBy } = thread
  return {
    id,
    isShared,
    revision,
    page,
    quote,
    area,
    resolved:
      resolvedAt && resolvedBy ? { fullName: resolvedBy.fullName, at: resolvedAt.toISOString() } : null,
    comments: comments.map((comment) => ({
      id: comment.id,
      fullName: comment.actor.fullName,
      organizationName: comment.organizationName,
      at: comment.at.toISOString(),
      text: comment.text,
      isMine: comment.actor.id === actor.id,
    })),
  }
}
