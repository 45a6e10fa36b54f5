/** The argument of page loaders. Loaders only start calls: the page itself waits for them and shows failures. */
import type { QueryClient } from '@tanstack/react-query'
import { leadingRole } from '@kelisim/domain/identity/roles.ts'
import type { Params } from '../../ui/browser/address.ts'
import type { Search } from '../../ui/browser/search.ts'
import type { Organization, Session } from './session.ts'

export type PageToLoad = {
  client: QueryClient
  params: Params
  search: Search
}

/** A page of the signed-in person, before an organisation is chosen or in the portal. */
export type PersonPageToLoad = PageToLoad & { session: Session }

/** A page inside one organisation. */
export type MemberPageToLoad = PersonPageToLoad & { organization: Organization }

export function isOwnerOf({ session, organization }: MemberPageToLoad): boolean {
  return leadingRole(session.rolesIn[organization.Id] ?? 0) === 'Owner'
}
