/** Notices of a turn whose delivery is known and not yet in the history of their request. */
import { sql } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { MailState, ReceiptType } from '@kelisim/domain/requests/receipts/receipt.ts'
import { lastCorrection } from '../../requests/core/queries/events.ts'

/** Modes of notices without an e-mail of their own: they reach their readers in the inbox here. */
export const inboxModes: readonly string[] = ['daily', 'off', 'none']

/**
 * Whether the receipt is settled: at once if there is no immediate e-mail, else by the state of the e-mail. An
 * undelivered e-mail may still be delivered later.
 */
const isSettled = sql<boolean>`case n.receipt
  when 'awaited' then (n.user_id is not null and n.mode = any(${inboxModes}::text[])) or m.state in ('sent', 'kept', 'refused', 'failed')
  when 'undelivered' then m.state in ('sent', 'kept') end`

export async function findRequestsWithReceipts(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('notices as n')
    .leftJoin('mails as m', 'm.id', 'n.mailId')
    .select('n.requestId')
    .distinct()
    .where('n.receipt', 'in', ['awaited', 'undelivered'])
    .where('n.requestId', '>', after)
    .where(isSettled)
    .orderBy('n.requestId')
    .limit(limit)
    .execute()
  return rows.map(({ requestId }) => requestId)
}

/** The request is locked while receipts are written; the remaining ones come with the next run. */
const most = 200

/**
 * Settled notices with the point at which the reader is asked; `isCurrent`: the notice was about the current
 * document.
 */
export async function findSettledNotices(db: Db, requestId: string) {
  return db
    .selectFrom('notices as n')
    .innerJoin('requestEvents as e', (join) =>
      join
        .onRef('e.requestId', '=', 'n.requestId')
        .on(sql<boolean>`e.number = substring(n.occasion from 2)::int`),
    )
    .leftJoin('mails as m', 'm.id', 'n.mailId')
    .leftJoin('users as u', 'u.id', 'n.userId')
    .select(['n.id', 'n.userId', 'n.organizationId', 'n.mode', 'e.pointId', 'e.attempt', 'u.fullName'])
    .select(sql<MailState | null>`m.state`.as('state'))
    .select(sql<Date>`coalesce(m.sent_at, m.handed_over_at, n.created_at)`.as('at'))
    .select(sql<boolean>`e.number > ${lastCorrection(requestId)} or e.attempt > 0`.as('isCurrent'))
    .where('n.requestId', '=', requestId)
    .where('n.receipt', 'in', ['awaited', 'undelivered'])
    .where(isSettled)
    .orderBy('n.id')
    .limit(most)
    .execute()
}

export async function saveReceipts(
  tx: Tx,
  receipts: readonly { id: string; type: ReceiptType }[],
): Promise<void> {
  for (const [receipt, some] of Map.groupBy(receipts, ({ type }) => type)) {
    const ids = some.map(({ id }) => id)
    await tx.updateTable('notices').set({ receipt }).where('id', 'in', ids).execute()
  }
}

/** Stops waiting for receipts of e-mails that were held, or never answered for: nothing will be known of them. */
export async function forgetAwaited(tx: Tx, before: Date): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ receipt: null })
    .where('receipt', '=', 'awaited')
    .where('createdAt', '<', before)
    .execute()
}
