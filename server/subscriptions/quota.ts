/** How many requests a sender may still send; counted in the transaction that sends, so it is exact under concurrency. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { inForce } from '@kelisim/domain/subscriptions/in-force.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import {
  addCreated,
  addFree,
  countAllCreated,
  countCreated,
  countFree,
  findQuotaHolder,
  findSubscriptions,
  lockOrganization,
  type Sender,
  type Subscription,
} from './queries.ts'

export type Usage = {
  nameKey: Subscription['nameKey']
  endDate: string | null
  created: number
  maximum: number | null
  /** What the count is of: a paid tariff is the organisation's own. */
  countedFor: 'organization' | 'number' | 'person'
}

export async function usageOf(db: Db, sender: Sender, now: Date): Promise<Usage> {
  const paid = inForce(await findSubscriptions(db, sender.organizationId), dateInAlmaty(now))
  // A paid tariff is limited by month, the free tier in total.
  if (paid) {
    return {
      nameKey: paid.nameKey,
      endDate: paid.endDate,
      created: await countCreated(db, sender.organizationId, monthInAlmaty(now)),
      maximum: paid.maxSigningRequests,
      countedFor: 'organization',
    }
  }
  const holder = await findQuotaHolder(db, sender)
  return {
    nameKey: freeTier.nameKey,
    endDate: null,
    created: await countFree(db, holder),
    maximum: freeTier.maxSigningRequestCount,
    countedFor: holder.type,
  }
}

export function isUsedUp({ created, maximum }: Usage): boolean {
  return maximum !== null && created >= maximum
}

export function refuseUsedUp(usage: Usage): void {
  if (isUsedUp(usage)) refuse('organization-restricted', { used: usage.created, maximum: usage.maximum })
}

/**
 * Counts one more request, or refuses. Transactions of the same organisation wait for each other here, and so do those that
 * count for the same number or person.
 */
export async function countOneMore(tx: Tx, sender: Sender, now: Date): Promise<void> {
  await lockOrganization(tx, sender.organizationId)
  const holder = await findQuotaHolder(tx, sender)
  await addFree(tx, holder, 0)
  refuseUsedUp(await usageOf(tx, sender, now))
  await addFree(tx, holder, 1)
  await addCreated(tx, sender.organizationId, monthInAlmaty(now))
}

/** The organisation proves its number: what it sent before counts for the number too, so proving gives no second ten. */
export async function countForNumber(tx: Tx, organizationId: string, number: string): Promise<void> {
  await lockOrganization(tx, organizationId)
  await addFree(tx, { type: 'number', number }, await countAllCreated(tx, organizationId))
}
