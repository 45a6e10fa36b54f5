/** The notices and e-mails of a comment, added in the transaction that saves it. */
import type { Tx } from '@kelisim/db/db.ts'
import { commentNotices, oneEmailWithin } from '@kelisim/domain/notifications/comment-notices.ts'
import { recipientKey } from '@kelisim/domain/notifications/notices.ts'
import type { Language } from '@kelisim/texts/languages.ts'
import { addNotices, type NotificationDependencies } from '../notifications/delivery.ts'
import { notificationContext, notifiedPerson } from '../notifications/notification-context.ts'
import { findMembersAmong } from '../notifications/queries/people.ts'
import type { LoadedRequest } from '../requests/core/loaded.ts'
import type { Party } from '../requests/core/party.ts'
import { announce } from '../requests/core/queries/changes.ts'
import { findMailedSince, type CommentRow, type ThreadRow } from './queries.ts'

export type TellingDependencies = Omit<NotificationDependencies, 'database'>

export async function tellOfComment(
  tx: Tx,
  loaded: LoadedRequest,
  { viewer, actor }: Party,
  thread: ThreadRow,
  comments: readonly CommentRow[],
  dependencies: TellingDependencies,
): Promise<void> {
  const now = dependencies.clock()
  const { row } = loaded
  const latest = comments.at(-1)!
  const earlier = comments.slice(0, -1)
  const context = await notificationContext(tx, loaded, now)
  const { people, languages } = await writersOf(tx, earlier)
  const notices = commentNotices(context.request, {
    actorId: actor.id,
    actorNumbers: viewer.numbers,
    isAnswer: earlier.length > 0,
    isShared: thread.isShared,
    organizationId: thread.organizationId,
    writers: people,
    outsiderNumbers: earlier.flatMap(({ organizationId, actor: { iin, bin } }) =>
      organizationId === null ? [iin ?? [], bin ?? []].flat() : [],
    ),
  })
  const since = new Date(now.getTime() - oneEmailWithin)
  const recipients = notices.map(({ to }) => recipientKey(to))
  const mailed = await findMailedSince(tx, row.id, recipients, since)
  const about = { by: actor.fullName, comment: latest.text, asks: null, process: 'signing' } as const
  await addNotices(
    tx,
    loaded,
    { ...context, languages: new Map([...languages, ...context.languages]) },
    notices
      // A recipient known only by an e-mail address has no bell, so without an e-mail there is nothing to add.
      .filter(({ to }) => to.userId !== null || !mailed.has(recipientKey(to)))
      .map((notice) => ({
        notice: { ...notice, isByEmail: notice.isByEmail && !mailed.has(recipientKey(notice.to)) },
        occasion: `c${latest.id}`,
        about,
      })),
    now,
    dependencies,
  )
  await refreshPages(tx, loaded, thread)
}

/**
 * Makes open pages of every side fetch again, but only for a shared thread: refetching would reveal an internal one.
 */
export async function refreshPages(
  tx: Tx,
  { row }: LoadedRequest,
  { isShared }: Pick<ThreadRow, 'isShared'>,
): Promise<void> {
  if (isShared) await announce(tx, row.id, row.version)
}

/** The people who wrote these comments for an organisation and are still members of it. */
async function writersOf(tx: Tx, comments: readonly CommentRow[]) {
  const written = comments.filter(({ organizationId }) => organizationId !== null)
  if (written.length === 0) return { people: [], languages: new Map<string, Language>() }
  const rows = await findMembersAmong(
    tx,
    written.map(({ organizationId }) => organizationId!),
    written.map(({ actor }) => actor.id),
  )
  const isWriter = (one: { userId: string; organizationId: string }) =>
    written.some(
      ({ actor, organizationId }) => actor.id === one.userId && organizationId === one.organizationId,
    )
  const members = rows.filter(isWriter)
  return {
    languages: new Map(members.map(({ userId, language }) => [userId, language])),
    people: members.map(notifiedPerson),
  }
}
