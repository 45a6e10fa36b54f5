/**
 * Showing by a digital signature that one speaks for an organisation: whose number it is, and what follows.
 *
 *   nobody has it              → added, confirmed, the signer owns it
 *   the signer owns it by word → that one is confirmed, and owned by the signer alone
 *   others own it by word      → added beside theirs, which stay unconfirmed: strangers must not come to be inside
 *                                (unless the signer belongs to it and says that it is the one)
 *   it is confirmed            → the signer asks its owners to join
 */
import { headFaults, type CertificateOwner } from '../signatures/owner.ts'
import type { Fault } from '../signatures/verdict.ts'
import { isOwner } from './permissions.ts'
import { asStaff, roles } from './roles.ts'

/** For an organisation its BIN is proved, for oneself one's own IIN. */
export const claimKinds = ['organization', 'individual'] as const
export type ClaimKind = (typeof claimKinds)[number]

/** Why this key does not speak for what is claimed; `knownIin` is of the person who shows it, if it is known. */
export function claimFaults(owner: CertificateOwner, kind: ClaimKind, knownIin: string | null): Fault[] {
  const isOthers = owner.iin !== null && knownIin !== null && owner.iin !== knownIin
  return [
    ...(owner.iin === null ? (['iin-not-in-certificate'] as const) : []),
    ...(isOthers ? (['other-person'] as const) : []),
    ...(kind === 'organization' ? headFaults(owner) : []),
  ]
}

/** An organisation with the number that was proved. */
export type Known = {
  id: string
  isConfirmed: boolean
  /** Of the signer there; null: they do not belong to it. */
  roles: number | null
}

export type ClaimResult =
  | { type: 'add' }
  | { type: 'confirm'; organizationId: string }
  | { type: 'ask'; organizationId: string }
  | { type: 'already-yours' }

/** `known` oldest first; `wanted` is the one the signer meant, if they meant one. */
export function resultOfClaim(known: readonly Known[], wanted: string | undefined): ClaimResult {
  const confirmed = known.find((one) => one.isConfirmed)
  if (confirmed) {
    return confirmed.roles === null
      ? { type: 'ask', organizationId: confirmed.id }
      : { type: 'already-yours' }
  }
  const chosen =
    known.find(({ id, roles: mine }) => id === wanted && mine !== null) ??
    known.find(({ roles: mine }) => isOwner(mine ?? 0))
  return chosen ? { type: 'confirm', organizationId: chosen.id } : { type: 'add' }
}

/**
 * When an organisation is confirmed, the signer owns it. Those who called themselves owners before had shown nothing:
 * they stay as staff, and the signer may make them owners again.
 */
export function rolesOnceConfirmed(mask: number, isSigner: boolean): number {
  return asStaff(isSigner ? mask | roles.of('Owner') : mask & ~roles.of('Owner'))
}
