import { useQueryClient } from '@tanstack/react-query'
import { countWaiting, getRequests } from '@kelisim/domain/requests/list-contract.ts'

/** Somebody acted: what lies before whom, and how much of it, is asked anew. */
export function useRefreshLists(): () => void {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: [getRequests.path] })
    void client.invalidateQueries({ queryKey: [countWaiting.path] })
  }
}
