import { signedInQuery } from '../../identity/queries.ts'
import type { PageToLoad } from '../../shell/session/page-loading.ts'

/** Loads who is signed in, on which the content of the page depends. */
export function loadRequestLink({ client }: PageToLoad): void {
  void client.prefetchQuery(signedInQuery())
}
