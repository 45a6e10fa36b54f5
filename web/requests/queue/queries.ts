import { signedStatuses } from '@kelisim/domain/requests/list-contract.ts'
import { requestsQuery } from '../lists/queries.ts'

/** The largest page that a list allows; documents beyond it enter the queue when these are done. */
const firstPage = { page: 1, skip: 0, take: 100, name: '', sort: undefined }

export function queueQuery(organizationId: string) {
  const waiting = { signedStatus: signedStatuses.of('UnSigned') }
  return requestsQuery(organizationId, 'incomings', waiting, firstPage)
}
