import { getRequest } from '@kelisim/domain/requests/contract.ts'
import { query } from '../../api/api.ts'

export type RequestKey = { organizationId: string; signingRequestId: string }

/** Asked for again at every visit: the page shows the request as it is now. */
export function requestQuery(key: RequestKey) {
  return { ...query(getRequest, key), staleTime: 0 }
}
