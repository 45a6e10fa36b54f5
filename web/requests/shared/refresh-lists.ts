import { useQueryClient } from '@tanstack/react-query'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'

/** After an action: reloads the lists and counters. */
export function useRefreshLists(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: [getRequests.path] })
    void client.invalidateQueries({ queryKey: [countWaiting.path] })
  }
}
