/** The person who deleted something can put it back for a while (docs/decisions/028-putting-back.md). */
import { hour } from '../durations.ts'
import type { Viewer as DocumentViewer } from '../documents/permissions.ts'
import { mayDeletePoint } from '../points/point.ts'
import { whyNotEditTemplate } from '../rich-text/permissions.ts'
import { mayDeleteRoute } from '../routes/permissions.ts'

export const deletedKinds = ['document', 'documentTemplate', 'point', 'route', 'routeTemplate'] as const
export type DeletedKind = (typeof deletedKinds)[number]

/** Much longer than the message with the button, much shorter than the time after which bytes are removed. */
export const restoreTime = hour

export type Deletion = {
  kind: DeletedKind
  authorId: string
  /** The deleted thing was visible to everybody in the organisation, not only to its author. */
  isCommon: boolean
  deletedBy: string
  deletedAt: Date
}

/** Only the person who deleted it may put it back, and only while they would still be allowed to delete it. */
export function mayRestore(deletion: Deletion, viewer: DocumentViewer, now: Date): boolean {
  if (deletion.deletedBy !== viewer.userId) return false
  if (now.getTime() - deletion.deletedAt.getTime() > restoreTime) return false
  return mayDelete(deletion, viewer)
}

function mayDelete({ kind, authorId, isCommon }: Deletion, viewer: DocumentViewer): boolean {
  const { userId, member } = viewer
  const worker = { userId, roles: member.roles, options: member.options }
  const owned = { authorId, scope: isCommon ? 'common' : 'personal' } as const
  switch (kind) {
    case 'document':
      return authorId === userId
    case 'documentTemplate':
      return whyNotEditTemplate({ authorId, visibility: isCommon ? 'public' : 'private' }, viewer) === null
    case 'point':
      return mayDeletePoint(worker, owned)
    case 'route':
    case 'routeTemplate':
      return mayDeleteRoute(worker, owned)
  }
}
