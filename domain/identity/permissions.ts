/** Who may do what in an organisation: values in, boolean out. The server guards by these, every view carries their answers. */
import type { OrganizationOptions } from '../options/options.ts'
import { roles } from './roles.ts'

export function isOwner(mask: number): boolean {
  return roles.has(mask, 'Owner')
}

/** SPEC.md section 6: open to all staff unless the organisation keeps it for the administrators of points. */
export function mayEditPoints(mask: number, options: OrganizationOptions): boolean {
  return !options.usePointsRolePermission || roles.has(mask, 'PointsAdministrator') || isOwner(mask)
}

export function mayEditRoutes(mask: number, options: OrganizationOptions): boolean {
  return (
    !options.useSignaturePointsRoutesRolePermission ||
    roles.has(mask, 'SignaturePointsRoutesAdministrator') ||
    isOwner(mask)
  )
}

/** A quick request makes its own points and route, so it takes both rights, and the organisation's leave. */
export function mayQuickSend(mask: number, options: OrganizationOptions): boolean {
  return options.isQuickRequestAllowed && mayEditPoints(mask, options) && mayEditRoutes(mask, options)
}

/** An owner removes anyone; anyone may leave. */
export function mayRemove(mask: number, viewerId: string, memberId: string): boolean {
  return isOwner(mask) || viewerId === memberId
}

/** An organisation without an owner could never be managed again. */
export function leavesNoOwner(owners: readonly string[], userId: string, rolesAfter: number): boolean {
  return !isOwner(rolesAfter) && owners.every((owner) => owner === userId)
}
