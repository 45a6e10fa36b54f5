/** The certificate that a point requires, and the faults of any other one (docs/product/signatures.md#g-04). */
import {
  givenKeyOf,
  isPersonalType,
  isRoleEnough,
  type KeyHolder,
  type KeyRule,
} from '../points/key-holder.ts'
import { actOf, type PointType } from '../points/point-types.ts'
import type { FoundPower } from '../powers-of-attorney/power.ts'
import { isOfOrganization, type CertificateOwner } from '../signatures/owner.ts'
import type { Fault } from '../signatures/verdict.ts'

export type Demand =
  /** A certificate with the number: the BIN of an organisation or the IIN of an individual. */
  | {
      of: 'number'
      number: string
      keyHolder: KeyHolder
      /** IINs that the certificate must have: of the person named by the point, and of the actor if it is known. */
      iins: readonly string[]
    }
  /** A certificate of the person, with any organisation; `iin` is null if it is unknown. */
  | { of: 'person'; iin: string | null }

/** A certificate without a number has its own refusal; every other fault concerns the signature. */
export function refusalOfCode(code: unknown): 'empty-bin-or-iin' | 'signature-refused' {
  return code === 'DS-703' || code === 'DS-704' ? 'empty-bin-or-iin' : 'signature-refused'
}

export function demandOf(
  point: { type: PointType; bin: string } & KeyRule,
  signer: { iin?: string | null | undefined },
): Demand {
  const { type, bin, keyHolder, keyHolderIin } = point
  const isOwnKey = isPersonalType(type) || actOf(type) === 'approve'
  // In a campaign its owner has chosen between keys of the organisation and personal keys.
  if (isOwnKey || (actOf(type) === 'confirm' && keyHolder === 'person'))
    return { of: 'person', iin: signer.iin ?? null }
  const named = keyHolder === 'person' ? keyHolderIin : null
  return {
    of: 'number',
    number: bin,
    keyHolder,
    iins: [named, signer.iin].filter((iin) => !!iin) as string[],
  }
}

/** `found` is the power of attorney that the owner of the certificate holds for this document. */
export function signerFaults(
  owner: CertificateOwner,
  demand: Demand,
  found: Pick<FoundPower, 'verdict'> = { verdict: 'none' },
): Fault[] {
  const { iin, bin } = owner
  if (demand.of === 'person') {
    if (demand.iin === null) return ['iin-not-given']
    if (iin === null) return ['iin-not-in-certificate']
    return iin === demand.iin ? [] : ['other-person']
  }
  const { number, keyHolder, iins } = demand
  if (number === '') return ['bin-not-given']
  // A key of an organisation does not count as a personal one.
  const isPersonal = !isOfOrganization(owner)
  const isOwnNumber = isPersonal && iin === number
  const isOfNumber = bin === number || isOwnNumber
  if (!isOfNumber && bin !== null) return ['other-organization']
  if (!isOfNumber && iin === null) return ['bin-not-in-certificate']
  if (!isOfNumber && !isPersonal) return ['other-organization']
  // The key of an information system has no person behind it.
  if (iin === null) return ['iin-not-in-certificate']
  // A personal key without this number counts only under a power of attorney.
  if (!isOfNumber && found.verdict === 'none') return ['other-organization']
  if (iins.some((one) => one !== iin)) return ['other-person']
  if (isOwnNumber || (isOfNumber && isRoleEnough(keyHolder, givenKeyOf(owner)))) return []
  switch (found.verdict) {
    case 'valid':
      return []
    case 'not-in-force':
      return ['power-not-in-force']
    case 'out-of-scope':
      return ['power-out-of-scope']
    case 'none':
      return [keyHolder === 'head' ? 'not-head-of-organization' : 'not-entitled-for-organization']
  }
}

/** Whether the signature counts only because of the power of attorney, which is then named with it. */
export function needsPower(owner: CertificateOwner, demand: Demand): boolean {
  return demand.of === 'number' && signerFaults(owner, demand).length > 0
}
