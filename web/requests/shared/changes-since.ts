/** What others did to a request while a dialog of the person was open, and whether its act is still possible. */
import { processOfRequest, actionsOf, type RequestAction, type RequestView } from './request-view.ts'
import type { Doer } from './actor-name.ts'

export type Change = {
  what: 'corrected' | 'rerouted' | 'withdrawn' | 'terminationBegun' | PointAct | `${PointAct}Termination`
  by: Doer
  comment: string
}

type PointAct = RequestView['points'][number]['acts'][number]['act']
type Points = RequestView['points']

/** The changes in the order in which they happened, as far as it is known. */
export function changesSince(before: RequestView, now: RequestView): Change[] {
  const { withdrawal, termination } = now
  const isBegun = termination !== null && termination.attempt !== before.termination?.attempt
  const terminatingBefore = isBegun ? [] : (before.termination?.points ?? [])
  const corrections = now.revisions.filter(({ revision }) => revision > before.revision)
  return [
    ...corrections.map(({ by, comment }) => ({
      what: 'corrected' as const,
      by: doerOf(by ?? now.author),
      comment,
    })),
    ...(areOtherSteps(before.points, now.points)
      ? [{ what: 'rerouted' as const, by: doerOf(now.author), comment: '' }]
      : []),
    ...newActs(before.points, now.points).map(({ act, by, comment }) => ({ what: act, by, comment })),
    ...(withdrawal && !before.withdrawal
      ? [{ what: 'withdrawn' as const, by: doerOf(withdrawal), comment: withdrawal.comment }]
      : []),
    ...(isBegun
      ? [{ what: 'terminationBegun' as const, by: doerOf(termination.begunBy), comment: termination.comment }]
      : []),
    ...newActs(terminatingBefore, termination?.points ?? []).map(({ act, by, comment }) => ({
      what: `${act}Termination` as const,
      by,
      comment,
    })),
  ]
}

/** Whether the steps ahead were changed; only the author can do that, and one change replaces all of them. */
function areOtherSteps(before: Points, now: Points): boolean {
  const keyOf = (points: Points) => points.map(({ pointId, order }) => `${order} ${pointId}`).join()
  return keyOf(before) !== keyOf(now)
}

function newActs(before: Points, now: Points) {
  return now
    .flatMap(({ pointId, acts }) => {
      const known = before.find((point) => point.pointId === pointId)?.acts.length ?? 0
      return acts.slice(known)
    })
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .map((done) => ({ act: done.act, by: doerOf(done), comment: done.comment }))
}

function doerOf({ fullName, insteadOf, program }: Doer): Doer {
  return { fullName, insteadOf, program }
}

/** `held`: somebody is signing just now, and it may become possible again. */
export type ActionState = 'possible' | 'held' | 'over'

export function stateOfAction(action: RequestAction, before: RequestView, now: RequestView): ActionState {
  const isSameProcess =
    processOfRequest(before) === processOfRequest(now) &&
    before.termination?.attempt === now.termination?.attempt
  // An answer given for one revision of the document does not count for another.
  const isSameDocument = before.revision === now.revision || action.point === null
  const isOffered =
    isSameProcess &&
    isSameDocument &&
    actionsOf(now).some(({ act, point }) => act === action.act && point?.pointId === action.point?.pointId)
  if (isOffered) return 'possible'
  return isSameProcess && isSameDocument && now.lock !== null && before.status === now.status
    ? 'held'
    : 'over'
}
