import { documentChoicesQuery } from '../../documents/queries.ts'
import { kindsQuery } from '../../registers/queries.ts'
import type { MemberPageToLoad } from '../../shell/session/page-loading.ts'
import { routeChoicesQuery } from '../sending/queries.ts'

export function loadPackageSending({ client, organization }: MemberPageToLoad): void {
  void client.prefetchQuery(documentChoicesQuery(organization.Id, 'my'))
  void client.prefetchQuery(documentChoicesQuery(organization.Id, 'public'))
  void client.prefetchQuery(routeChoicesQuery(organization.Id))
  void client.prefetchQuery(kindsQuery(organization.Id))
}
