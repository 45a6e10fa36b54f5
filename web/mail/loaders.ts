import { pageConfig } from '../api/page-config.ts'
import type { PageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { mailsQuery } from './queries.ts'

export function loadMailbox({ client, search }: PageToLoad): void {
  if (pageConfig.isDemo) void client.prefetchQuery(mailsQuery(listPositionOf(search)))
}
