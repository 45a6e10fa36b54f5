/**
 * A related request: the rejected or withdrawn one that this request replaces, or the one that replaces this request.
 */
import { Link } from '@tanstack/react-router'
import { emptyId } from '@kelisim/domain/fields.ts'
import { requestStatusOf } from '@kelisim/domain/requests/status.ts'
import type { RequestKey } from './queries.ts'
import { currentPoints, type RequestView } from './request-view.ts'
import type { Doer } from './actor-name.ts'

type OtherRequest = NonNullable<RequestView['follows']>

/** Opens the other request in the list in which the viewer sees the current one. */
export function OtherRequestLink(props: { other: OtherRequest; from: RequestView; requestKey: RequestKey }) {
  const { other, from, requestKey } = props
  if (requestKey.organizationId === emptyId) {
    return (
      <Link to="/signingRequests/redirect/{-$id}" params={{ id: other.id }}>
        {other.name}
      </Link>
    )
  }
  const route = from.organization.id === requestKey.organizationId ? 'outgoings' : 'incomings'
  return (
    <Link to="/signingRequests/$route/$id" params={{ route, id: other.id }}>
      {other.name}
    </Link>
  )
}

/** The key of the text that says which request was replaced: a withdrawn or a rejected one. */
export function insteadKey({ status }: Pick<OtherRequest, 'status'>) {
  return requestStatusOf(status) === 'Revoked'
    ? ('again.insteadOfWithdrawn' as const)
    : ('again.insteadOfRejected' as const)
}

/** Why the request ended, as its participants wrote it. */
export function endingComments(request: RequestView): { by: Doer; comment: string }[] {
  const { withdrawal } = request
  if (withdrawal) return [{ by: withdrawal, comment: withdrawal.comment }]
  if (requestStatusOf(request.status) !== 'Rejected') return []
  return currentPoints(request).flatMap(({ acts }) =>
    acts
      .filter(({ act, comment }) => act === 'rejected' && comment !== '')
      .map((rejection) => ({ by: rejection, comment: rejection.comment })),
  )
}
