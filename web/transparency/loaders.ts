import type { PageToLoad } from '../shell/session/page-loading.ts'
import { logStateQuery } from './queries.ts'

export function loadLog({ client }: PageToLoad): void {
  void client.prefetchQuery(logStateQuery())
}
