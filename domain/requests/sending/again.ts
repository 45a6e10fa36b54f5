/** Sending again: a request that ended without an agreement is corrected and sent as a new one. */
import type { Alias } from '../../errors.ts'
import type { Viewer } from '../life-cycle/permissions.ts'
import { replaceableStatuses, type RequestStatus } from '../status.ts'

export type EndedRequest = {
  organizationId: string
  authorId: string
  status: RequestStatus
  /** Another request was already sent in its place. */
  isFollowed: boolean
}

/** Each request is followed by at most one other, so that it is clear which of them counts. */
export function whyNotSendAgain(
  { organizationId, authorId, status, isFollowed }: EndedRequest,
  viewer: Pick<Viewer, 'id' | 'organizationId'>,
): Alias | null {
  if (viewer.organizationId !== organizationId || viewer.id !== authorId) return 'not-the-author'
  if (!replaceableStatuses.includes(status)) return 'wrong-request-status'
  return isFollowed ? 'request-sent-again' : null
}
