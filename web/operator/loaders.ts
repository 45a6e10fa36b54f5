import type { PersonPageToLoad } from '../shell/session/page-loading.ts'
import { listPositionOf } from '../ui/list/list-search.ts'
import { deadLettersQuery, healthQuery, operatorActsQuery, overviewQuery } from './queries.ts'

export function loadOperator({ client, session, params, search }: PersonPageToLoad): void {
  if (!session.profile.IsOperator) return
  void client.prefetchQuery(healthQuery())
  if (params.tab === 'acts') {
    void client.prefetchQuery(operatorActsQuery(listPositionOf(search)))
    return
  }
  void client.prefetchQuery(overviewQuery())
  if (params.tab === 'jobs') void client.prefetchQuery(deadLettersQuery(listPositionOf(search)))
}
