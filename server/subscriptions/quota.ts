/** How many requests may still be sent, counted in the transaction that makes one: exact under any parallelism. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { inForce } from '@kelisim/domain/subscriptions/in-force.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import { countCreated, findSubscriptions, type Subscription } from './queries.ts'

export type Usage = {
  nameKey: Subscription['nameKey']
  endDate: string | null
  created: number
  maximum: number | null
}

export async function usageOf(db: Db, organizationId: string, now: Date): Promise<Usage> {
  const paid = inForce(await findSubscriptions(db, organizationId), dateInAlmaty(now))
  // The free tier is counted over the whole life, a paid one by the month.
  const created = await countCreated(db, organizationId, paid && monthInAlmaty(now))
  return {
    nameKey: paid?.nameKey ?? freeTier.nameKey,
    endDate: paid?.endDate ?? null,
    created,
    maximum: paid ? paid.maxSigningRequests : freeTier.maxSigningRequestCount,
  }
}

export function isUsedUp({ created, maximum }: Usage): boolean {
  return maximum !== null && created >= maximum
}

/** One more, or a refusal. Those who send for the same organisation wait for each other here. */
export async function countOneMore(tx: Tx, organizationId: string, now: Date): Promise<void> {
  await tx
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forNoKeyUpdate()
    .execute()
  const usage = await usageOf(tx, organizationId, now)
  if (isUsedUp(usage)) refuse('organization-restricted', { used: usage.created, maximum: usage.maximum })
  await tx
    .insertInto('signingRequestCounts')
    .values({ organizationId, month: monthInAlmaty(now), created: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['organizationId', 'month'])
        .doUpdateSet((eb) => ({ created: eb('signingRequestCounts.created', '+', 1) })),
    )
    .execute()
}
