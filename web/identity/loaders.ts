import type { PageToLoad } from '../shell/session/page-loading.ts'
import { invitationQuery, myJoinRequestsQuery, signedInQuery } from './queries.ts'

export function loadInvitation({ client, params }: PageToLoad): void {
  void client.prefetchQuery(invitationQuery(params.token ?? ''))
  void client.prefetchQuery(signedInQuery())
}

export function loadLogin({ client }: PageToLoad): void {
  void client.prefetchQuery(myJoinRequestsQuery())
}
