/** The certificate that a point requires, and the faults of another one (docs/product/signatures.md#g-04). */
import { actOf, type PointType } from '../points/point-types.ts'
import type { CertificateOwner } from '../signatures/owner.ts'
import type { Fault } from '../signatures/verdict.ts'

export type Demand =
  /** A certificate with the number: the BIN of an organisation or the IIN of an individual. */
  | { of: 'number'; number: string }
  /** A certificate of the person, of any organisation; null if their IIN is unknown. */
  | { of: 'person'; iin: string | null }

/** A certificate without a number has its own refusal; every other fault concerns the signature. */
export function refusalOfCode(code: unknown): 'empty-bin-or-iin' | 'signature-refused' {
  return code === 'DS-703' || code === 'DS-704' ? 'empty-bin-or-iin' : 'signature-refused'
}

export function demandOf(
  point: { type: PointType; bin: string },
  signer: { iin?: string | null | undefined },
): Demand {
  const isPersonal = point.type === 'EmployeeInternalSign' || actOf(point.type) === 'approve'
  return isPersonal ? { of: 'person', iin: signer.iin ?? null } : { of: 'number', number: point.bin }
}

export function signerFaults({ iin, bin }: CertificateOwner, demand: Demand): Fault[] {
  if (demand.of === 'person') {
    if (demand.iin === null) return ['iin-not-given']
    if (iin === null) return ['iin-not-in-certificate']
    return iin === demand.iin ? [] : ['other-person']
  }
  const { number } = demand
  if (number === '') return ['bin-not-given']
  if (bin === number) return []
  // A key of an organisation does not count as a personal one.
  if (bin === null && iin === number) return []
  return bin === null && iin === null ? ['bin-not-in-certificate'] : ['other-organization']
}
