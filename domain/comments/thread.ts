/** Who may comment on the document of a running request, and who sees the comments (decision 087). */
import type { Alias } from '../errors.ts'
import { sideOf } from '../points/point-types.ts'
import { mayActAt } from '../requests/actors.ts'
import type { SigningRequest } from '../requests/life-cycle/request.ts'
import { hasCome, type Viewer } from '../requests/life-cycle/permissions.ts'
import { signingStatuses } from '../requests/status.ts'

export type Thread = {
  /** The organisation whose people began the thread; null: somebody who acts for their own number. */
  organizationId: string | null
  /** Visible to every side of the request; otherwise only to the people of that organisation. Never changes. */
  isShared: boolean
  /** The revision of the document to which the thread refers. */
  revision: number
}

/** Why somebody who may see the request may not write a shared comment, or an internal one. */
export function whyNotComment(request: SigningRequest, viewer: Viewer, isShared: boolean): Alias | null {
  if (!signingStatuses.includes(request.status)) return 'wrong-request-status'
  // Not in a campaign, where only the author and the owners may learn what each person says.
  if (request.points.some(({ isPersonal }) => isPersonal)) return 'wrong-request-configuration'
  if (viewer.organizationId !== null) return null
  const mayAct = request.points.some((point) => hasCome(point) && mayActAt(point, viewer))
  return isShared && mayAct ? null : 'not-enough-permissions'
}

/** Whether the request has another side, to which a comment could be shown. */
export function hasCounterparty({ points }: Pick<SigningRequest, 'points'>): boolean {
  return points.some(({ type, bin }) => sideOf(type) !== 'internal' || bin !== null)
}

/** `revisions` are the documents that the viewer may open: they must not see quotes of other documents. */
export function seesThread(
  { organizationId, isShared, revision }: Thread,
  viewer: Pick<Viewer, 'organizationId'>,
  revisions: readonly number[],
): boolean {
  if (isShared) return revisions.includes(revision)
  return organizationId !== null && organizationId === viewer.organizationId
}
