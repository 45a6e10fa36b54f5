import { flags } from '../bits.ts'

/**
 * Role flags (docs/product/identity-and-organisations.md#roles). Owners are the organisation's administrative group.
 */
export const roles = flags({
  Employee: 1,
  Owner: 2,
  PointsAdministrator: 4,
  SignaturePointsRoutesAdministrator: 8,
})
export type RoleName = (typeof roles.names)[number]

/** The role a person has in an organisation: Owner if an Owner role exists for it, otherwise Employee. */
export function leadingRole(mask: number): 'Owner' | 'Employee' {
  return roles.has(mask, 'Owner') ? 'Owner' : 'Employee'
}

/** Adds the role Employee, which every member has besides other roles. */
export function asStaff(mask: number): number {
  return mask | roles.of('Employee')
}
