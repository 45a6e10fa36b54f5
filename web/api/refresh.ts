import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Loads anew what is on the screen, because the server said that it has changed. */
export function refresh(client: QueryClient, queryKey: QueryKey): void {
  const firstLoads = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  void client.invalidateQueries({ queryKey })
  // A first load is not begun anew by that, and what it brings may be from before the change.
  for (const query of firstLoads) {
    const loadAgain = () => client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    void query.fetch().then(loadAgain, () => {})
  }
}
