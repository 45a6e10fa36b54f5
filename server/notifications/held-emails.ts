/**
 * E-mails to people without an account that were held because a limit of the day was reached. They are sent on a
 * later day, the oldest first; an e-mail that asks for an act is not sent if the request no longer waits for its
 * reader.
 */
import type { Tx } from '@kelisim/db/db.ts'
import type { AboutNotice } from '@kelisim/db/schema/notifications.ts'
import { remindersOf } from '@kelisim/domain/notifications/notices.ts'
import { notificationKinds } from '@kelisim/domain/options/options.ts'
import { countStrangerEmails } from '../mail/stranger-limits.ts'
import { isStopped } from '../mail/stopped-emails.ts'
import { findRequest } from '../requests/core/state.ts'
import { mailNotice, strangerEmailOf, type NotificationDependencies } from './delivery.ts'
import { notificationContext, type NotificationContext } from './notification-context.ts'
import { findHeldNotices, lockHeldNotice, saveMode } from './queries/held.ts'

const batch = 200

/** If two processes run at once, each e-mail is sent by one of them. */
export async function sendHeldEmails(dependencies: NotificationDependencies): Promise<void> {
  const { database } = dependencies
  for (let after: { createdAt: Date; id: string } | null = null; ;) {
    const held: Awaited<ReturnType<typeof findHeldNotices>> = await findHeldNotices(database.db, after, batch)
    for (const { id } of held) await database.write((tx) => sendHeld(tx, id, dependencies))
    if (held.length < batch) return
    after = held.at(-1)!
  }
}

async function sendHeld(tx: Tx, noticeId: string, dependencies: NotificationDependencies): Promise<void> {
  const notice = await lockHeldNotice(tx, noticeId)
  const kind = notificationKinds.find((one) => one === notice?.kind)
  if (!notice || notice.email === null || !kind) return
  const loaded = (await findRequest(tx, notice.requestId))!
  const { row } = loaded
  if (await isStopped(tx, notice.email, row.organizationId)) return saveMode(tx, noticeId, 'off')
  if (asksInVain(notice, await notificationContext(tx, loaded, dependencies.clock()))) {
    return saveMode(tx, noticeId, 'outdated')
  }
  const [limit = null] = await countStrangerEmails(
    tx,
    [strangerEmailOf(notice.email, row)],
    dependencies.clock(),
  )
  if (limit !== null) return
  await saveMode(tx, noticeId, 'at-once')
  await mailNotice(tx, loaded, { ...notice, kind }, row.language, dependencies)
}

/** Whether the notice asks for an act and the request no longer waits for this reader. */
function asksInVain(
  { about, email }: { about: AboutNotice; email: string | null },
  { request }: NotificationContext,
): boolean {
  const isAct = about.asks !== null && about.asks !== 'inform'
  return isAct && !remindersOf(request).some(({ to }) => to.userId === null && to.email === email)
}
