/** The portal page: the person, the organisation named by the address, and the address to return to. */
import { getRouteApi } from '@tanstack/react-router'
import { isOwner } from '@kelisim/domain/identity/permissions.ts'
import { type Organization, rememberedOrganization, type Session } from '../../shell/session/session.ts'
import { ownReturn } from '../../ui/browser/own-return.ts'
import { useAddress } from '../../ui/browser/address.ts'

const portal = getRouteApi('/portal')

type Portal = {
  session: Session
  /** The id in the address, if any; the person may not belong to that organisation. */
  named: string | undefined
  found: Organization | undefined
  /** The last used organisation, whose sections are shown on pages whose address names none. */
  offered: Organization | undefined
  returnUri: string | null
}

export function usePortal(): Portal {
  const { session } = portal.useLoaderData()
  const {
    params: { organizationId },
    search: { returnUri },
  } = useAddress()
  const { organizations, profile } = session
  const find = (id: string | undefined) => organizations.find((o) => o.Id === id)
  const found = find(organizationId?.toLowerCase())
  return {
    session,
    named: organizationId,
    found,
    offered: found ?? find(rememberedOrganization(profile.Login)) ?? organizations[0],
    returnUri: ownReturn(returnUri, window.location.origin),
  }
}

/** For pages of one organisation; the layout shows them only if the organisation was found. */
export function usePortalOrganization() {
  const { session, found } = usePortal()
  if (!found) throw new Error('a page of an organisation stands outside of it')
  return { session, organization: found, isOwner: isOwner(session.rolesIn[found.Id] ?? 0) }
}

export const portalPages = [
  'card',
  'members',
  'invitations',
  'groups',
  'powers',
  'retention',
  'integration',
  'history',
] as const
export type PortalPage = (typeof portalPages)[number]
export const ownersPages: readonly PortalPage[] = [
  'invitations',
  'powers',
  'retention',
  'integration',
  'history',
]

export function addressOf(page: PortalPage) {
  return `/portal/$organizationId/${page}` as const
}
