import { signedInQuery } from '../../identity/queries.ts'
import type { PageToLoad } from '../../shell/session/page-loading.ts'

/** What the page shows depends on who is signed in. */
export function loadRequestLink({ client }: PageToLoad): void {
  void client.prefetchQuery(signedInQuery())
}
