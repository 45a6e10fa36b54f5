import { emptyId } from '@kelisim/domain/fields.ts'
import type { PageToLoad } from '../shell/session/page-loading.ts'
import { comparisonQuery } from './queries.ts'

/** Comparing takes a while, so it begins before the page is loaded, if the address says on whose behalf. */
export function loadComparison({ client, search }: PageToLoad): void {
  const { before, after, own } = search
  const organizationId = own ? emptyId : search.organizationId
  if (before === undefined || after === undefined || organizationId === undefined) return
  void client.prefetchQuery(comparisonQuery(organizationId, before, after))
}
