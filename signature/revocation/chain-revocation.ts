/** Whether anyone on a path is revoked, by lists at hand. The anchor is not asked about: nobody stands above it. */
import type { Certificate } from '../certificates/certificate.ts'
import { revokedByCrl, type CrlOptions, type CrlStatus } from './by-crl.ts'
import type { Crl } from './crl.ts'

/** if-known: where no list of the issuer is at hand nothing is asked for; one that is at hand must decide. */
export type Demand = 'required' | 'if-known'
export type ChainDemand = { leaf: Demand; others: Demand }

export type ChainStatus =
  | { ok: true }
  /** The certificate nearest to the anchor that is revoked, or of which too little is known. */
  | { ok: false; certificate: Certificate; status: CrlStatus }

/** The leaf first, the anchor last, known to hold. */
export async function checkChainRevocation(
  path: readonly Certificate[],
  crls: readonly Crl[],
  demand: ChainDemand,
  options: Omit<CrlOptions, 'authorities'>,
): Promise<ChainStatus> {
  // from the anchor down: whoever is certified by a revoked one is not asked about
  for (let i = path.length - 2; i >= 0; i--) {
    const certificate = path[i]!
    const status = await revokedByCrl(certificate, path.slice(i + 1), crls, {
      ...options,
      authorities: demand.others,
    })
    const isKnown = status.status === 'good'
    const needNotBe = status.problem === 'no-crl' && demand[i === 0 ? 'leaf' : 'others'] === 'if-known'
    if (!isKnown && !needNotBe) return { ok: false, certificate, status }
  }
  return { ok: true }
}
