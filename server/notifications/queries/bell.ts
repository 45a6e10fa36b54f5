/** The notices of a person in an organisation. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { countLimit } from '@kelisim/domain/fields.ts'
import { unreadLimit } from '@kelisim/domain/notifications/contract.ts'

export type Owner = { userId: string; organizationId: string }

export async function findNotices(
  db: Db,
  { userId, organizationId }: Owner,
  { skip, take }: { skip: number; take: number },
) {
  const mine = db
    .selectFrom('notices as n')
    .where('n.userId', '=', userId)
    .where('n.organizationId', '=', organizationId)
  const [items, counted] = await Promise.all([
    mine
      .innerJoin('signingRequests as r', 'r.id', 'n.requestId')
      .select(['n.id', 'n.requestId', 'n.kind', 'n.about', 'n.createdAt', 'n.readAt'])
      .select(['r.name', 'r.senderName as organizationName'])
      .orderBy('n.createdAt', 'desc')
      .orderBy('n.id', 'desc')
      .offset(skip)
      .limit(take)
      .execute(),
    db
      .selectFrom(
        mine
          .select('n.id')
          .limit(countLimit + 1)
          .as('some'),
      )
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  return { items, totalCount: counted.count }
}

export async function countUnreadOf(db: Db, { userId, organizationId }: Owner): Promise<number> {
  const { count } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('notices')
        .select('id')
        .where('userId', '=', userId)
        .where('organizationId', '=', organizationId)
        .where('readAt', 'is', null)
        .limit(unreadLimit + 1)
        .as('unread'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function markRead(
  tx: Tx,
  { userId, organizationId }: Owner,
  { noticeId, signingRequestId }: { noticeId?: string | undefined; signingRequestId?: string | undefined },
  now: Date,
): Promise<void> {
  await tx
    .updateTable('notices')
    .set({ readAt: now })
    .where('userId', '=', userId)
    .where('organizationId', '=', organizationId)
    .where('readAt', 'is', null)
    .$if(noticeId !== undefined, (query) => query.where('id', '=', noticeId!))
    .$if(signingRequestId !== undefined, (query) => query.where('requestId', '=', signingRequestId!))
    .execute()
}
