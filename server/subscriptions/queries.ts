import type { Db } from '@kelisim/db/db.ts'

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

/** Signing requests created: in the month that begins on the given day, or ever. */
export async function countCreated(db: Db, organizationId: string, month: string | null): Promise<number> {
  const { created } = await db
    .selectFrom('signingRequestCounts')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('created'), eb.val(0)).as('created'))
    .where('organizationId', '=', organizationId)
    .$if(month !== null, (query) => query.where('month', '=', month!))
    .executeTakeFirstOrThrow()
  return created
}
