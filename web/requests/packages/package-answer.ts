/** Giving the same answer for several documents of a package. */
import type { RequestAction, RequestView } from '../shared/request-view.ts'

type Package = NonNullable<RequestView['package']>

export type PackageAct = 'sign' | 'approve' | 'confirm' | 'reject'

export type PackageAnswer = {
  act: PackageAct
  pointId: string
  packageId: string
  /** The requests that wait for this answer. */
  requests: Package['requests']
}

const packageActs: readonly PackageAct[] = ['sign', 'approve', 'confirm', 'reject']

/** Null: the action is no answer at a point, or the request is not part of a package. */
export function answerOf(
  request: Pick<RequestView, 'package' | 'termination'>,
  { act, point }: RequestAction,
): PackageAnswer | null {
  const known = packageActs.find((one) => one === act)
  if (!request.package || !known || !point || request.termination) return null
  return waitingIn(request.package, known, point.pointId)
}

/** The answers that the person can give at once: each act at each point where at least two documents wait for it. */
export function answersOf({ package: sentIn, termination }: Pick<RequestView, 'package' | 'termination'>) {
  if (!sentIn || termination) return []
  const asked = sentIn.requests.flatMap(({ acts }) => acts)
  const found = packageActs.flatMap((act) =>
    [...new Set(asked.flatMap((one) => (one.act === act && one.pointId !== null ? one.pointId : [])))].map(
      (pointId) => waitingIn(sentIn, act, pointId),
    ),
  )
  return found.filter(({ requests }) => requests.length > 1)
}

function waitingIn({ id, requests }: Package, act: PackageAct, pointId: string): PackageAnswer {
  const waits = (one: Package['requests'][number]) =>
    one.acts.some((possible) => possible.act === act && possible.pointId === pointId)
  return { act, pointId, packageId: id, requests: requests.filter(waits) }
}
