/** Whose certificate a point asks for, and what is wrong with another's (CHECKLIST.md G-04). */
import { actOf, type PointType } from '../points/point-types.ts'
import type { CertificateOwner } from '../signatures/owner.ts'
import type { Fault } from '../signatures/verdict.ts'

export type Demand =
  /** The certificate of the number: of an organisation its BIN, of an individual their IIN. */
  | { of: 'number'; number: string }
  /** The person's own, whatever organisation it is of; null: nobody knows their IIN here. */
  | { of: 'person'; iin: string | null }

/** A certificate that holds no number of its owner says nothing of whose it is; any other fault is of the signature. */
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
  // With a key of an organisation one speaks for it, not for oneself.
  if (bin === null && iin === number) return []
  return bin === null && iin === null ? ['bin-not-in-certificate'] : ['other-organization']
}
