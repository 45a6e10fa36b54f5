/** The signed-in person, and the organisation that this page works in. */
import type { QueryClient } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { yearInSeconds } from '@kelisim/domain/durations.ts'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { getOrganizations, getProfile, getRoles } from '@kelisim/domain/identity/contract.ts'
import { leadingRole, roles, type RoleName } from '@kelisim/domain/identity/roles.ts'
import type * as z from 'zod/mini'
import { query } from '../../api/api.ts'
import { keepDraftsOf } from '../../ui/form/drafts.ts'

export type Organization = z.output<typeof getOrganizations.result>['Organizations'][number]
export type Profile = z.output<typeof getProfile.result>
export type Options = z.output<typeof getOptions.result>

export type Session = {
  profile: Profile
  organizations: Organization[]
  /** Role flags by organisation. */
  rolesIn: Record<string, number>
}

export async function loadSession(client: QueryClient): Promise<Session> {
  const [profile, organizations, info] = await Promise.all([
    client.ensureQueryData(query(getProfile, {})),
    client.ensureQueryData(query(getOrganizations, {})),
    client.ensureQueryData(query(getRoles, {})),
  ])
  keepDraftsOf(profile.UserId)
  const rolesIn: Record<string, number> = {}
  for (const { RoleName: name, OrganizationId: id } of info.UserRolesInfoes) {
    rolesIn[id] = (rolesIn[id] ?? 0) | roles.of(name as RoleName)
  }
  return { profile, organizations: organizations.Organizations, rolesIn }
}

/** Called after joining or adding an organisation, so that the session is loaded again. */
export function forgetSession(client: QueryClient): void {
  for (const e of [getProfile, getOrganizations, getRoles]) client.removeQueries({ queryKey: [e.path] })
}

/**
 * Remembers the chosen organisation for each login in a cookie and in local storage. It is also remembered for this
 * tab, so that a link without an organisation does not open the one of another tab.
 */
export function rememberOrganization(login: string, organizationId: string): void {
  const key = organizationKey(login)
  document.cookie = `${key}=${organizationId}; path=/; max-age=${yearInSeconds}; samesite=lax`
  localStorage.setItem(key, organizationId)
  sessionStorage.setItem(key, organizationId)
}

export function rememberedOrganization(login: string): string | undefined {
  const key = organizationKey(login)
  const ofTab = sessionStorage.getItem(key)
  if (ofTab !== null) return ofTab
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith(`${key}=`))
  return cookie?.slice(key.length + 1) ?? localStorage.getItem(key) ?? undefined
}

function organizationKey(login: string): string {
  return `organization_${encodeURIComponent(login)}`
}

export type Workplace = { session: Session; organization: Organization; options: Options }

const WorkplaceContext = createContext<Workplace | null>(null)

/** Provided around the default layout, which has the pages of an organisation and those that anybody may open. */
export const WorkplaceProvider = WorkplaceContext.Provider

/** Null on a page that is shown without the default layout. */
export function useWorkplaceIfAny(): Workplace | null {
  return useContext(WorkplaceContext)
}

/** The session, organisation and options, for every page inside the default layout. */
export function useWorkplace() {
  const workplace = useWorkplaceIfAny()
  if (!workplace) throw new Error('This page is shown outside of the default layout')
  const { session, organization, options } = workplace
  const mask = session.rolesIn[organization.Id] ?? 0
  return { session, profile: session.profile, organization, options, role: leadingRole(mask) }
}
