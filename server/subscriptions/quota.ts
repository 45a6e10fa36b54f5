/** How many requests an organisation may still send; counted in the transaction that sends, so it is exact under concurrency. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { inForce } from '@kelisim/domain/subscriptions/in-force.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import {
  addCreated,
  countCreated,
  findSubscriptions,
  lockOrganization,
  type Subscription,
} from './queries.ts'

export type Usage = {
  nameKey: Subscription['nameKey']
  endDate: string | null
  created: number
  maximum: number | null
}

export async function usageOf(db: Db, organizationId: string, now: Date): Promise<Usage> {
  const paid = inForce(await findSubscriptions(db, organizationId), dateInAlmaty(now))
  // The free tier is limited in total, a paid one by month.
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

/** Counts one more request, or refuses. Transactions of the same organisation wait for each other here. */
export async function countOneMore(tx: Tx, organizationId: string, now: Date): Promise<void> {
  await lockOrganization(tx, organizationId)
  const usage = await usageOf(tx, organizationId, now)
  if (isUsedUp(usage)) refuse('organization-restricted', { used: usage.created, maximum: usage.maximum })
  await addCreated(tx, organizationId, monthInAlmaty(now))
}
