/** Subscriptions of organisations, and how many requests they have created. */
import { sql, type Insertable } from 'kysely'
import type { Db, Tx } from '@kelisim/db/db.ts'
import type { Schema } from '@kelisim/db/schema.ts'
import { quotaHolder, type QuotaHolder } from '@kelisim/domain/subscriptions/quota-holder.ts'

export type Subscription = {
  nameKey: 'start' | 'standard' | 'promo' | 'classic' | 'premium'
  startDate: string
  endDate: string
  maxSigningRequests: number | null
}

export function findSubscriptions(db: Db, organizationId: string): Promise<Subscription[]> {
  return db
    .selectFrom('subscriptions')
    .select(['nameKey', 'startDate', 'endDate', 'maxSigningRequests'])
    .where('organizationId', '=', organizationId)
    .orderBy('startDate')
    .execute()
}

/** How many signing requests were created in the month that begins on this day. */
export async function countCreated(db: Db, organizationId: string, month: string): Promise<number> {
  const row = await db
    .selectFrom('signingRequestCounts')
    .select('created')
    .where('organizationId', '=', organizationId)
    .where('month', '=', month)
    .executeTakeFirst()
  return row?.created ?? 0
}

export type Sender = { organizationId: string; userId: string }

export async function findQuotaHolder(db: Db, { organizationId, userId }: Sender): Promise<QuotaHolder> {
  const organization = await db
    .selectFrom('organizations')
    .select(['bin', 'confirmedAt', 'isUnclaimed'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return quotaHolder(organization, userId)
}

/** How many requests were ever created for the number, or by the person if no number was proved. */
export async function countFree(db: Db, holder: QuotaHolder): Promise<number> {
  const row = await db
    .selectFrom('freeRequestCounts')
    .select('created')
    .where('holder', '=', holderKey(holder))
    .executeTakeFirst()
  return row?.created ?? 0
}

/** Adds to the count; until the transaction ends, others who count for the same holder wait. With 0 it only locks. */
export async function addFree(tx: Tx, holder: QuotaHolder, count: number): Promise<void> {
  await tx
    .insertInto('freeRequestCounts')
    .values({ holder: holderKey(holder), created: count })
    .onConflict((conflict) =>
      conflict
        .column('holder')
        .doUpdateSet((eb) => ({ created: eb('freeRequestCounts.created', '+', count) })),
    )
    .execute()
}

function holderKey(holder: QuotaHolder): string {
  return holder.type === 'number' ? `number ${holder.number}` : `person ${holder.userId}`
}

/** How many requests the organisation has ever created. */
export async function countAllCreated(db: Db, organizationId: string): Promise<number> {
  const { created } = await db
    .selectFrom('signingRequestCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('created'), eb.val(0)).as('created'))
    .where('organizationId', '=', organizationId)
    .executeTakeFirstOrThrow()
  return created
}

/** Locks the organisation like `lockOrganization`, and tells for which holder its requests count. */
export async function lockQuotaHolder(tx: Tx, { organizationId, userId }: Sender): Promise<QuotaHolder> {
  const organization = await tx
    .selectFrom('organizations')
    .select(['bin', 'confirmedAt', 'isUnclaimed'])
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return quotaHolder(organization, userId)
}

/** Counts one request for the holder and in the month of the organisation; returns the counts before it. */
export async function addOne(
  tx: Tx,
  holder: QuotaHolder,
  organizationId: string,
  month: string,
): Promise<{ free: number; inMonth: number }> {
  const { rows } = await sql<{ free: number; inMonth: number }>`
    with free as (
      insert into free_request_counts (holder, created) values (${holderKey(holder)}, 1)
      on conflict (holder) do update set created = free_request_counts.created + 1 returning created),
    month as (
      insert into signing_request_counts (organization_id, month, created) values (${organizationId}, ${month}, 1)
      on conflict (organization_id, month) do update set created = signing_request_counts.created + 1
      returning created)
    select free.created - 1 as free, month.created - 1 as "inMonth" from free, month`.execute(tx)
  return rows[0]!
}

export type BoughtSubscription = Subscription & { id: string; organizationId: string }

/** All subscriptions of every organisation that has one which begins or ends between these days. */
export function findChangingAbout(db: Db, from: string, to: string): Promise<BoughtSubscription[]> {
  return db
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.organizationId', 's.nameKey', 's.startDate', 's.endDate', 's.maxSigningRequests'])
    .where('s.organizationId', 'in', (eb) =>
      eb
        .selectFrom('subscriptions as near')
        .select('near.organizationId')
        .where((or) => or.or([or.between('near.startDate', from, to), or.between('near.endDate', from, to)])),
    )
    .execute()
}

/** False if this e-mail was sent before. */
export async function addSubscriptionEmail(
  tx: Tx,
  row: Insertable<Schema['subscriptionLetters']>,
): Promise<boolean> {
  const added = await tx
    .insertInto('subscriptionLetters')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('subscriptionId')
    .executeTakeFirst()
  return added !== undefined
}
