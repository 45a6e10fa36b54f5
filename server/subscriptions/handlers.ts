/** The subscriptions of an organisation and their use (docs/product/subscriptions.md). */
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { getMonthlyReport, getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { pending } from '@kelisim/domain/subscriptions/in-force.ts'
import type { Http } from '../http/open.ts'
import { countCreated, findSubscriptions } from './queries.ts'
import { usageOf } from './quota.ts'

export function openSubscriptions({ serve }: Http): void {
  serve(getSubscriptions, async ({ who: { member, userId }, now, db }) => {
    const { organizationId } = member
    const usage = await usageOf(db, { organizationId, userId }, now)
    const all = await findSubscriptions(db, organizationId)
    return {
      activeSubscription: {
        nameKey: usage.nameKey,
        endDate: usage.endDate,
        createdSigningRequestCount: usage.created,
        maxSigningRequestCount: usage.maximum,
        countedFor: usage.countedFor,
      },
      pendingSubscriptions: pending(all, dateInAlmaty(now)).map(
        ({ nameKey, startDate, maxSigningRequests }) => ({
          nameKey,
          startDate,
          maxSigningRequestCount: maxSigningRequests,
        }),
      ),
    }
  })

  serve(getMonthlyReport, async ({ who: { member }, now, db }) => ({
    createdSigningRequestsCount: await countCreated(db, member.organizationId, monthInAlmaty(now)),
  }))
}
