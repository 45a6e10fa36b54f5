import type { MemberPageToLoad } from '../shell/session/page-loading.ts'
import { substitutionsQuery } from '../substitutions/queries.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { notificationSettingsQuery } from './queries.ts'
import { myGroupsQuery, userOptionsQuery } from './shared/queries.ts'

/** The options of the organisation itself are loaded with every page; only personal ones are loaded here. */
export function loadOptions({ client, organization, search }: MemberPageToLoad): void {
  void client.prefetchQuery(notificationSettingsQuery(organization.Id))
  void client.prefetchQuery(myGroupsQuery(organization.Id))
  void client.prefetchQuery(userOptionsQuery(organization.Id))
  void client.prefetchQuery(substitutionsQuery(organization.Id, listPositionOf(search)))
}
