/** Who may comment on the document of a running request, and who sees what was written (decision 087). */
import type { Alias } from '../errors.ts'
import { sideOf } from '../points/point-types.ts'
import { mayActAt } from '../requests/actors.ts'
import type { SigningRequest } from '../requests/life-cycle/request.ts'
import { hasCome, type Viewer } from '../requests/life-cycle/permissions.ts'
import { signingStatuses } from '../requests/status.ts'

export type Thread = {
  /** Whose people began it; null: somebody who acts for their own number. */
  organizationId: string | null
  /** Seen by every side of the request; otherwise by the people of that organisation alone. Never changes. */
  isShared: boolean
  /** The document that it is about. */
  revision: number
}

/** For somebody who may see the request: why they may not write to all sides, or to their own people only. */
export function whyNotComment(request: SigningRequest, viewer: Viewer, isShared: boolean): Alias | null {
  if (!signingStatuses.includes(request.status)) return 'wrong-request-status'
  // What each of an audience says is told to the author and the owners only.
  if (request.points.some(({ isPersonal }) => isPersonal)) return 'wrong-request-configuration'
  if (viewer.organizationId !== null) return null
  const mayAct = request.points.some((point) => hasCome(point) && mayActAt(point, viewer))
  return isShared && mayAct ? null : 'not-enough-permissions'
}

/** Whether there is anybody of another side to whom a comment could be shown. */
export function hasCounterparty({ points }: Pick<SigningRequest, 'points'>): boolean {
  return points.some(({ type, bin }) => sideOf(type) !== 'internal' || bin !== null)
}

/** `revisions` are the documents that somebody who sees the request may open: a quote of another one is not for them. */
export function seesThread(
  { organizationId, isShared, revision }: Thread,
  viewer: Pick<Viewer, 'organizationId'>,
  revisions: readonly number[],
): boolean {
  if (isShared) return revisions.includes(revision)
  return organizationId !== null && organizationId === viewer.organizationId
}
