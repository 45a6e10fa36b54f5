/** Who may open a page, and in which organisation; everybody else is redirected. */
import type { QueryClient } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { chooseOrganization } from '@kelisim/domain/identity/organization-choice.ts'
import { getRecipient } from '@kelisim/domain/identity/contract.ts'
import { getOptions } from '@kelisim/domain/options/contract.ts'
import { pages } from '@kelisim/domain/pages.ts'
import { ApiError, query } from './api/api.ts'
import { signedInQuery } from './identity/queries.ts'
import type { Recipient } from './requests/link/outsider-page.tsx'
import {
  loadSession,
  rememberedOrganization,
  rememberOrganization,
  type Organization,
  type Session,
  type Workplace,
} from './shell/session/session.ts'
import { noteSignedIn } from './shell/session/session-end.ts'
import type { Search } from './ui/browser/search.ts'
import { keepDraftsOf } from './ui/form/drafts.ts'

/** The session of a person with an account. An outsider is redirected to their own page from any address. */
export async function accountSession(client: QueryClient, location: { href: string }): Promise<Session> {
  try {
    const session = await loadSession(client)
    noteSignedIn()
    return session
  } catch (error) {
    const isOutsider = error instanceof ApiError && error.alias === 'account-needed'
    throw isOutsider
      ? redirect({ to: pages.numberInbox, search: { returnUri: location.href }, replace: true })
      : error
  }
}

/** The session and the organisation of the address; if the person is not in it, their last chosen one replaces it. */
export async function memberSession(
  client: QueryClient,
  search: Search,
  location: { href: string },
): Promise<{ session: Session; organization: Organization }> {
  const session = await accountSession(client, location)
  const { profile, organizations } = session
  if (!profile.IsAgreementAccepted) {
    throw redirect({ to: pages.agreement, search: { returnUri: location.href } })
  }
  const chosen = chooseOrganization(
    organizations,
    search.organizationId,
    rememberedOrganization(profile.Login),
  )
  if (chosen === null) throw redirect({ to: pages.login })
  rememberOrganization(profile.Login, chosen)
  if (chosen !== search.organizationId) {
    throw redirect({ to: '.', search: { ...search, organizationId: chosen }, replace: true })
  }
  return { session, organization: organizations.find((o) => o.Id === chosen)! }
}

let optionsOf: string | null = null

/** The options are loaded anew whenever the organisation changes, because rights may have changed meanwhile. */
export async function loadWorkplace(
  client: QueryClient,
  session: Session,
  organization: Organization,
): Promise<Workplace> {
  const isChange = optionsOf !== organization.Id
  optionsOf = organization.Id
  const asked = query(getOptions, { organizationId: organization.Id })
  const options = await (isChange
    ? client.fetchQuery({ ...asked, staleTime: 0 })
    : client.ensureQueryData(asked))
  return { session, organization, options }
}

/** The workplace of a member on a page that anybody may open; null for others, who are not asked to sign in. */
export async function workplaceIfAny(
  client: QueryClient,
  asked: string | undefined,
): Promise<Workplace | null> {
  const signedIn = await client.fetchQuery(signedInQuery()).catch(() => null)
  if (!signedIn || signedIn.isOutsider) return null
  const session = await loadSession(client)
  noteSignedIn()
  const { profile, organizations } = session
  if (!profile.IsAgreementAccepted) return null
  const chosen = chooseOrganization(organizations, asked, rememberedOrganization(profile.Login))
  const organization = organizations.find(({ Id }) => Id === chosen)
  return organization ? loadWorkplace(client, session, organization) : null
}

/** The session of an outsider; people with an account are redirected to their requests. */
export async function outsiderSession(client: QueryClient): Promise<{ recipient: Recipient }> {
  const recipient = await client.fetchQuery(query(getRecipient, {}))
  if (recipient.isOutsider) keepDraftsOf(`${recipient.iin} ${recipient.bin ?? ''}`)
  noteSignedIn()
  if (!recipient.isOutsider) {
    throw redirect({ to: '/signingRequests/$route', params: { route: 'incomings' }, replace: true })
  }
  return { recipient }
}
