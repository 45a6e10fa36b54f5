/** How many requests a sender may still send; counted in the transaction that sends, so it is exact under concurrency. */
import type { Db, Tx } from '@kelisim/db/db.ts'
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { refuse } from '@kelisim/domain/errors.ts'
import { inForce } from '@kelisim/domain/subscriptions/in-force.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import type { QuotaHolder } from '@kelisim/domain/subscriptions/quota-holder.ts'
import {
  addFree,
  addOne,
  countAllCreated,
  countCreated,
  countFree,
  findQuotaHolder,
  findSubscriptions,
  lockQuotaHolder,
  type Sender,
  type Subscription,
} from './queries.ts'
import { lockOrganization } from '../identity/core/membership-queries.ts'

export type Usage = {
  nameKey: Subscription['nameKey']
  endDate: string | null
  created: number
  maximum: number | null
  /** For whom requests are counted: a paid tariff counts for the organisation alone. */
  countedFor: 'organization' | 'number' | 'person'
}

export async function usageOf(db: Db, sender: Sender, now: Date): Promise<Usage> {
  const paid = inForce(await findSubscriptions(db, sender.organizationId), dateInAlmaty(now))
  if (paid) return paidUsage(paid, await countCreated(db, sender.organizationId, monthInAlmaty(now)))
  const holder = await findQuotaHolder(db, sender)
  return freeUsage(holder, await countFree(db, holder))
}

/** A paid tariff is limited by month. */
function paidUsage(paid: Subscription, created: number): Usage {
  const { nameKey, endDate, maxSigningRequests: maximum } = paid
  return { nameKey, endDate, created, maximum, countedFor: 'organization' }
}

/** The free tier is limited in total. */
function freeUsage(holder: QuotaHolder, created: number): Usage {
  return {
    nameKey: freeTier.nameKey,
    endDate: null,
    created,
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
 * Counts one more request, or refuses, which undoes the count with the rest of the transaction. Transactions of the same
 * organisation wait for each other here, and so do those that count for the same number or person.
 */
export async function countOneMore(tx: Tx, sender: Sender, now: Date): Promise<void> {
  const { organizationId } = sender
  const paid = inForce(await findSubscriptions(tx, organizationId), dateInAlmaty(now))
  const holder = await lockQuotaHolder(tx, sender)
  const before = await addOne(tx, holder, organizationId, monthInAlmaty(now))
  refuseUsedUp(paid ? paidUsage(paid, before.inMonth) : freeUsage(holder, before.free))
}

/** Counts earlier requests for the number when it is proved, so that proving it gives no second ten. */
export async function countForNumber(tx: Tx, organizationId: string, number: string): Promise<void> {
  await lockOrganization(tx, organizationId)
  await addFree(tx, { type: 'number', number }, await countAllCreated(tx, organizationId))
}
