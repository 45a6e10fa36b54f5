/** What the organisation has bought and how much of it is used (DECISIONS.md 8). */
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { getMonthlyReport, getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { inForce, pending } from '@kelisim/domain/subscriptions/in-force.ts'
import { freeTier } from '@kelisim/domain/subscriptions/tariffs.ts'
import type { Serve } from '../http/serve.ts'
import { countCreated, findSubscriptions } from './queries.ts'

export function subscriptionHandlers(serve: Serve): void {
  serve(getSubscriptions, async ({ who: { member }, now, db }) => {
    const { organizationId } = member
    const today = dateInAlmaty(now)
    const all = await findSubscriptions(db, organizationId)
    const paid = inForce(all, today)
    // The free tier is counted over the whole life, a paid one by the month.
    const created = await countCreated(db, organizationId, paid && monthInAlmaty(now))
    return {
      activeSubscription: {
        nameKey: paid?.nameKey ?? freeTier.nameKey,
        endDate: paid?.endDate ?? null,
        createdSigningRequestCount: created,
        maxSigningRequestCount: paid ? paid.maxSigningRequests : freeTier.maxSigningRequestCount,
      },
      pendingSubscriptions: pending(all, today).map(({ nameKey, startDate, maxSigningRequests }) => ({
        nameKey,
        startDate,
        maxSigningRequestCount: maxSigningRequests,
      })),
    }
  })

  serve(getMonthlyReport, async ({ who: { member }, now, db }) => ({
    createdSigningRequestsCount: await countCreated(db, member.organizationId, monthInAlmaty(now)),
  }))
}
