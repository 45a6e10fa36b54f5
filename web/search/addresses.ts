/** The address of each found thing, so that it can also be opened in a new tab. */
import { inOrganization, memberRequestPage, pages } from '@kelisim/domain/pages.ts'
import type { SearchKind } from '@kelisim/domain/search/contract.ts'
import { portalAddress } from '../shell/session/portal-address.ts'

export function addressOf(
  kind: SearchKind,
  { id, title }: { id: string; title: string },
  organizationId: string,
): string {
  if (kind === 'person') {
    return `${portalAddress(organizationId, 'members')}&name=${encodeURIComponent(title)}`
  }
  return inOrganization(pageOf(kind, id), organizationId)
}

function pageOf(kind: Exclude<SearchKind, 'person'>, id: string): string {
  switch (kind) {
    case 'request':
      return memberRequestPage(id)
    case 'document':
      return `/documents/${id}`
    case 'template':
      return `/document-templates/${id}`
    case 'route':
      return `/signaturePointsRoutes/${id}`
    case 'routeTemplate':
      return `/signaturePointsRouteTemplates/${id}`
    case 'point':
      return `/points/${id}`
    case 'counterparty':
      return `${pages.outgoingRequests}?bin=${encodeURIComponent(id)}`
  }
}
