import type { PageToLoad } from '../shell/session/page-loading.ts'
import { subscriptionQuery } from './queries.ts'

export function loadUnsubscribe({ client, params }: PageToLoad): void {
  void client.prefetchQuery(subscriptionQuery(params.token ?? ''))
}
