/** Notices that wait for a daily e-mail. */
import type { Db, Tx } from '@kelisim/db/db.ts'

export type DigestRecipient = { userId: string; organizationId: string }

export async function findDigestRecipients(db: Db): Promise<DigestRecipient[]> {
  const rows = await db
    .selectFrom('notices')
    .select(['userId', 'organizationId'])
    .distinct()
    .where('mode', '=', 'daily')
    .where('mailId', 'is', null)
    .execute()
  return rows.flatMap(({ userId, organizationId }) =>
    userId !== null && organizationId !== null ? [{ userId, organizationId }] : [],
  )
}

/** Locks the notices, so that only one of two processes sends the e-mail. */
export function lockDailyNotices(tx: Tx, { userId, organizationId }: DigestRecipient) {
  return tx
    .selectFrom('notices as n')
    .innerJoin('signingRequests as r', 'r.id', 'n.requestId')
    .select(['n.id', 'n.requestId', 'n.kind', 'n.about', 'n.readAt'])
    .select(['r.name', 'r.senderName as organizationName', 'r.organizationId as senderId'])
    .select(['r.senderBin', 'r.senderConfirmedAt'])
    .where('n.userId', '=', userId)
    .where('n.organizationId', '=', organizationId)
    .where('n.mode', '=', 'daily')
    .where('n.mailId', 'is', null)
    .orderBy('n.createdAt', 'desc')
    .orderBy('n.id', 'desc')
    .forUpdate('n')
    .execute()
}

export async function turnOffNotices(tx: Tx, noticeIds: readonly string[]): Promise<void> {
  if (noticeIds.length === 0) return
  await tx.updateTable('notices').set({ mode: 'off' }).where('id', 'in', noticeIds).execute()
}
