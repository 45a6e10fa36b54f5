import type { Http } from '../http/open.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { Unsubscribing } from '../mail/unsubscribing.ts'
import type { GroupsLeft, PreviewGroups, RefuseWhileAwaited } from './group-handlers.ts'
import { portalHandlers } from './handlers.ts'

type PortalParts = {
  queueMail: QueueMail
  unsubscribing: () => Promise<Unsubscribing>
  /** Called in the transaction in which people leave groups. */
  groupsLeft: GroupsLeft
  refuseWhileAwaited: RefuseWhileAwaited
  effectsOn: PreviewGroups
}

/** The Administrative Portal: details, members and roles, invitations, groups, history. */
export function openPortal({ serve, publicUrl }: Http, parts: PortalParts): void {
  portalHandlers(serve, { ...parts, publicUrl })
}
