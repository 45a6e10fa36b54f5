/** Who keeps the registers of an organisation (docs/decisions/033-who-registers.md). */
import { isOwner } from '../identity/permissions.ts'

/** Owners, and people appointed for incoming documents, read the journals and register requests that they see. */
export function mayKeepRegisters({ roles, isAppointed }: { roles: number; isAppointed: boolean }): boolean {
  return isOwner(roles) || isAppointed
}

export const journalDirections = ['outgoing', 'incoming'] as const
export type JournalDirection = (typeof journalDirections)[number]

/** For its sender a request is an outgoing document, for everybody else an incoming one. */
export function directionFor(request: { organizationId: string }, organizationId: string): JournalDirection {
  return request.organizationId === organizationId ? 'outgoing' : 'incoming'
}

/**
 * Whether somebody who sees the request may register it. Authors may register their own requests, as sending with a
 * kind of document does too.
 */
export function mayRegister(
  request: { organizationId: string; authorId: string },
  viewer: { id: string; organizationId: string | null; keepsRegisters?: boolean },
): boolean {
  if (viewer.organizationId === null) return false
  const isAuthor = request.authorId === viewer.id && request.organizationId === viewer.organizationId
  return viewer.keepsRegisters === true || isAuthor
}
