import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { idOf } from '../ui/browser/address.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { classifierQuery, classifiersQuery } from './queries.ts'

export function loadClassifiers({ client, organization, search }: MemberPageToLoad): void {
  void client.prefetchQuery(classifiersQuery(organization.Id, listPositionOf(search)))
}

export function loadClassifier({ client, organization, params }: MemberPageToLoad): void {
  const classifierId = idOf(params.id)
  if (classifierId) void client.prefetchQuery(classifierQuery(organization.Id, classifierId))
}
