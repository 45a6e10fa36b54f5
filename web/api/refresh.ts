import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Reloads queries, because the server said that their data has changed. */
export function refresh(client: QueryClient, queryKey: QueryKey): void {
  const firstLoads = client
    .getQueryCache()
    .findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  void client.invalidateQueries({ queryKey })
  // Invalidating does not restart a query's first load, whose result may be from before the change: load it again.
  for (const query of firstLoads) {
    const loadAgain = () => client.invalidateQueries({ queryKey: query.queryKey, exact: true })
    void query.fetch().then(loadAgain, () => {})
  }
}
