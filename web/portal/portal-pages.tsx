/** The pages of the portal: one part of the site, loaded when it is first opened. */
import { Navigate } from '@tanstack/react-router'
import { chooseOrganization } from '@kelisim/domain/identity/organization-choice.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { rememberedOrganization } from '../shell/session/session.ts'
import { usePortal } from './shared/place.ts'
import { useAddress } from '../ui/browser/address.ts'

export { CardPage } from './card-page.tsx'
export { GroupsPage } from './groups/groups-page.tsx'
export { HistoryPage } from './history-page.tsx'
export { InvitationsPage } from './people/invitations-page.tsx'
export { MembersPage } from './people/members-page.tsx'
export { MyGroupsPage } from './groups/my-groups-page.tsx'

export function PortalHome() {
  const { session, returnUri } = usePortal()
  const { organizationId: wanted } = useAddress().search
  const { organizations, profile } = session
  const organizationId = chooseOrganization(organizations, wanted, rememberedOrganization(profile.Login))
  if (organizationId === null) return <Navigate to={pages.login} replace />
  const search = returnUri === null ? {} : { returnUri }
  return <Navigate to="/portal/$organizationId/card" params={{ organizationId }} search={search} replace />
}
