import { pageConfig } from '../../api/page-config.ts'
import { hereAsReturnApp } from './session.ts'

/**
 * The Administrative Portal of an organisation, with the address to return to; built in unless configured otherwise.
 */
export function portalAddress(organizationId: string, page = 'card'): string {
  const base = pageConfig.adminPortalUrl ?? `${window.location.origin}/portal`
  return `${base}/${organizationId}/${page}?returnUri=${encodeURIComponent(hereAsReturnApp())}`
}

export function myGroupsAddress(): string {
  const base = pageConfig.adminPortalUrl ?? `${window.location.origin}/portal`
  return `${base}/my-groups?returnUri=${encodeURIComponent(hereAsReturnApp())}`
}
