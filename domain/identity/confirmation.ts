/**
 * Proving by a digital signature that one represents an organisation. The result depends on who already has an
 * organisation with its number:
 *
 *   nobody                         → it is added and confirmed, and the signer is its owner
 *   the signer, without a proof    → that organisation is confirmed, and the signer is its only owner
 *   others, without a proof        → a new one is added beside theirs, which stay unconfirmed, so that strangers are
 *                                    not inside (unless the signer belongs to theirs and chooses it)
 *   a confirmed organisation       → the signer asks its owners to join; an owner proves its name anew
 */
import { headFaults, type CertificateOwner } from '../signatures/owner.ts'
import type { Fault } from '../signatures/verdict.ts'
import { isOwner } from './permissions.ts'
import { asStaff, roles } from './roles.ts'

/** For an organisation its BIN is proved, for an individual their own IIN. */
export const claimKinds = ['organization', 'individual'] as const
export type ClaimKind = (typeof claimKinds)[number]

/** Why this key does not prove the claim; `knownIin` is the IIN of the person who presents it, if it is known. */
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
  /** The signer's roles there; null: not a member. */
  roles: number | null
}

export type ClaimResult =
  | { type: 'add' }
  | { type: 'confirm'; organizationId: string }
  | { type: 'renew'; organizationId: string }
  | { type: 'ask'; organizationId: string }
  | { type: 'already-yours' }

/** `known` is sorted oldest first; `wanted` is the organisation the signer chose, if any. */
export function resultOfClaim(known: readonly Known[], wanted: string | undefined): ClaimResult {
  const confirmed = known.find((one) => one.isConfirmed)
  if (confirmed) {
    if (confirmed.roles === null) return { type: 'ask', organizationId: confirmed.id }
    return isOwner(confirmed.roles)
      ? { type: 'renew', organizationId: confirmed.id }
      : { type: 'already-yours' }
  }
  const chosen =
    known.find(({ id, roles: mine }) => id === wanted && mine !== null) ??
    known.find(({ roles: mine }) => isOwner(mine ?? 0))
  return chosen ? { type: 'confirm', organizationId: chosen.id } : { type: 'add' }
}

/**
 * When an organisation is confirmed, the signer becomes its owner. Earlier owners had no proof: they stay as
 * employees, and the signer may make them owners again.
 */
export function rolesOnceConfirmed(mask: number, isSigner: boolean): number {
  return asStaff(isSigner ? mask | roles.of('Owner') : mask & ~roles.of('Owner'))
}
