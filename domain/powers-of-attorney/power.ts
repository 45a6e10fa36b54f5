/**
 * A power of attorney: its holder acts for an organisation where the role in their certificate alone would not allow
 * it (docs/product/in-whose-name.md#power-of-attorney).
 */
import { dateInAlmaty } from '../calendar.ts'

/** Which documents a power is for, seen from the organisation that gave it. */
export const powerDirections = ['any', 'incoming', 'outgoing'] as const
export type PowerDirection = (typeof powerDirections)[number]

export type Power = {
  id: string
  /** The number written on the power of attorney. */
  number: string
  /** The BIN of the organisation that gave the power. */
  bin: string
  holderIin: string
  direction: PowerDirection
  /** The counterparties for which the power is valid; empty: any. */
  counterparties: readonly string[]
  /** Days in Almaty, both included. */
  validFrom: string
  validUntil: string
  revokedAt: Date | null
}

/** The document to be signed, seen from the side that signs. */
export type SignedMatter = {
  /** The number of the side. */
  bin: string
  isIncoming: boolean
  /** The numbers of the other sides. */
  others: readonly string[]
}

export const powerStates = ['upcoming', 'valid', 'expired', 'revoked'] as const
export type PowerState = (typeof powerStates)[number]

export function powerState(
  { validFrom, validUntil, revokedAt }: Pick<Power, 'validFrom' | 'validUntil' | 'revokedAt'>,
  at: Date,
): PowerState {
  if (revokedAt !== null && revokedAt <= at) return 'revoked'
  const day = dateInAlmaty(at)
  if (day < validFrom) return 'upcoming'
  return day > validUntil ? 'expired' : 'valid'
}

export function isInScope(power: Pick<Power, 'bin' | 'direction' | 'counterparties'>, matter: SignedMatter) {
  const { direction, counterparties } = power
  if (power.bin !== matter.bin) return false
  if (direction !== 'any' && (direction === 'incoming') !== matter.isIncoming) return false
  if (counterparties.length === 0) return true
  return matter.others.length > 0 && matter.others.every((number) => counterparties.includes(number))
}

export type FoundPower<P extends Power = Power> =
  | { verdict: 'valid'; power: P }
  /** The closest power that does not fit: expired, upcoming or revoked, or for other documents. */
  | { verdict: 'not-in-force' | 'out-of-scope'; power: P }
  | { verdict: 'none' }

/** The power of attorney under which this person may sign this document at this moment. */
export function powerFor<P extends Power>(
  powers: readonly P[],
  iin: string | null,
  matter: SignedMatter,
  at: Date,
): FoundPower<P> {
  const theirs = powers.filter(({ holderIin, bin }) => holderIin === iin && bin === matter.bin)
  const inForce = theirs.filter((power) => powerState(power, at) === 'valid')
  const fitting = inForce.find((power) => isInScope(power, matter))
  if (fitting) return { verdict: 'valid', power: fitting }
  const [other] = inForce
  if (other) return { verdict: 'out-of-scope', power: other }
  const [past] = theirs
  return past ? { verdict: 'not-in-force', power: past } : { verdict: 'none' }
}
