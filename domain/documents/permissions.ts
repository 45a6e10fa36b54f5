/** Permissions on documents, used by the server and shown in every view. */
import type { Alias } from '../errors.ts'
import type { OrganizationOptions } from '../options/options.ts'
import { isOwner, mayQuickSend } from '../identity/permissions.ts'
import type { Visibility } from '../visibility.ts'

export type DocumentFacts = {
  authorId: string
  visibility: Visibility
  /** The document belongs to a request that is not finished. */
  isInLiveRequest: boolean
}

export type Viewer = { userId: string; member: { roles: number; options: OrganizationOptions } }

/** A private document is visible to its author, a public one to all members, and every one to owners. */
export function maySee(document: DocumentFacts, viewer: Viewer): boolean {
  return (
    document.visibility === 'public' || document.authorId === viewer.userId || isOwner(viewer.member.roles)
  )
}

export function whyNotDelete(document: DocumentFacts, viewer: Viewer): Alias | null {
  if (!maySee(document, viewer)) return 'document-not-found'
  if (document.authorId !== viewer.userId) return 'not-enough-permissions'
  return document.isInLiveRequest ? 'document-is-busy' : null
}

export function whyNotDescribe(document: DocumentFacts, viewer: Viewer): Alias | null {
  if (!maySee(document, viewer)) return 'document-not-found'
  return document.authorId === viewer.userId ? null : 'not-enough-permissions'
}

/** What this person may do with the document; the page shows buttons for it. */
export function allowedWith(document: DocumentFacts, viewer: Viewer) {
  return {
    delete: whyNotDelete(document, viewer) === null,
    describe: whyNotDescribe(document, viewer) === null,
    quickSend: mayQuickSend(viewer.member.roles, viewer.member.options),
  }
}
