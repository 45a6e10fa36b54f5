import { getSubscription } from '@kelisim/domain/notifications/contract.ts'
import { query } from '../api/api.ts'

export function subscriptionQuery(token: string) {
  return { ...query(getSubscription, { token }), retry: false }
}
