/**
 * Who may do what in an organisation, as pure predicates. The server guards its calls by these, and every view
 * carries their results.
 */
import type { OrganizationOptions } from '../options/options.ts'
import { roles } from './roles.ts'

export function isOwner(mask: number): boolean {
  return roles.has(mask, 'Owner')
}

/** Whether none of the wanted roles is above the person's roles. No role is above an owner, who has all rights. */
export function reachesRoles(mask: number, wanted: number): boolean {
  return isOwner(mask) || (wanted & ~mask) === 0
}

/**
 * Allowed to all members unless the organisation reserves it for administrators of points (docs/product/points.md).
 */
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

/** A quick request creates its own points and route, so it needs both rights and the option of the organisation. */
export function mayQuickSend(mask: number, options: OrganizationOptions): boolean {
  return options.isQuickRequestAllowed && mayEditPoints(mask, options) && mayEditRoutes(mask, options)
}

/** An owner may remove anyone; anyone may leave. */
export function mayRemove(mask: number, viewerId: string, memberId: string): boolean {
  return isOwner(mask) || viewerId === memberId
}

/** Whether the change would leave no owner: an organisation without one could never be managed again. */
export function leavesNoOwner(owners: readonly string[], userId: string, rolesAfter: number): boolean {
  return !isOwner(rolesAfter) && owners.every((owner) => owner === userId)
}
