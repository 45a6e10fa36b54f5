import type { Http } from '../http/open.ts'
import type { EndTokensOf } from '../identity/confirmation/handlers.ts'
import type { QueueMail } from '../mail/outbox.ts'
import type { SignedLinks } from '../mail/signed-links.ts'
import type { GroupsLeft, PreviewGroups, RefuseWhileAwaited } from './group-handlers.ts'
import { portalHandlers, type ProgramsOf } from './handlers.ts'

type PortalParts = {
  queueMail: QueueMail
  signedLinks: () => Promise<SignedLinks>
  /** Called in the transaction in which people leave groups. */
  groupsLeft: GroupsLeft
  refuseWhileAwaited: RefuseWhileAwaited
  effectsOn: PreviewGroups
  programsOf: ProgramsOf
  endTokensOf: EndTokensOf
}

/** The Administrative Portal: details, members and roles, invitations, groups, history. */
export function openPortal({ serve, publicUrl }: Http, parts: PortalParts): void {
  portalHandlers(serve, { ...parts, publicUrl })
}
