import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { query } from '../../api/api.ts'

export type RequestKey = { organizationId: string; signingRequestId: string }

/** Never taken from the cache: the page shows the current request. */
export function requestQuery(key: RequestKey) {
  return { ...query(getRequest, key), staleTime: 0 }
}
