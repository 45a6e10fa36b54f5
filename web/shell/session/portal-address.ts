import { pages } from '@kelisim/domain/pages.ts'
import { pageConfig } from '../../api/page-config.ts'
import { hereAsReturnApp } from '../../api/sign-in-address.ts'

/**
 * The address of the Administrative Portal of an organisation, with the page to return to. The portal is part of this
 * application unless another one is configured.
 */
export function portalAddress(organizationId: string, page = 'card'): string {
  const base = pageConfig.adminPortalUrl ?? new URL(pages.portal, window.location.origin).href
  return `${base}/${organizationId}/${page}?returnUri=${encodeURIComponent(hereAsReturnApp())}`
}

export function myGroupsAddress(): string {
  const base = pageConfig.adminPortalUrl ?? new URL(pages.portal, window.location.origin).href
  return `${base}/my-groups?returnUri=${encodeURIComponent(hereAsReturnApp())}`
}
