import { useEffect } from 'react'
import { openRequest } from '@kelisim/domain/requests/contract.ts'
import { call } from '../../api/api.ts'
import type { RequestKey } from '../shared/queries.ts'
import type { RequestView } from '../shared/request-view.ts'

/** Reports once that somebody who is asked has opened the document. After a failure the next visit reports it. */
export function useOpening(
  { isFirstLook }: RequestView,
  { organizationId, signingRequestId }: RequestKey,
): void {
  useEffect(() => {
    if (isFirstLook) void call(openRequest, { organizationId, signingRequestId }).catch(() => undefined)
  }, [isFirstLook, organizationId, signingRequestId])
}
