/** The subscriptions of an organisation and their use (docs/product/subscriptions.md). */
import { dateInAlmaty, monthInAlmaty } from '@kelisim/domain/calendar.ts'
import { getMonthlyReport, getSubscriptions } from '@kelisim/domain/subscriptions/contract.ts'
import { pending } from '@kelisim/domain/subscriptions/in-force.ts'
import type { Http } from '../http/open.ts'
import { countCreated, findSubscriptions } from './queries.ts'
import { usageOf } from './quota.ts'

export function openSubscriptions({ serve }: Http): void {
  serve(getSubscriptions, async ({ who: { member }, now, db }) => {
    const { organizationId } = member
    const { nameKey, endDate, created, maximum } = await usageOf(db, organizationId, now)
    const all = await findSubscriptions(db, organizationId)
    return {
      activeSubscription: {
        nameKey,
        endDate,
        createdSigningRequestCount: created,
        maxSigningRequestCount: maximum,
      },
      pendingSubscriptions: pending(all, dateInAlmaty(now)).map(
        ({ nameKey: name, startDate, maxSigningRequests }) => ({
          nameKey: name,
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
