/**
 * What an examination carries along, and a count of the costly steps: a few kilobytes can be made to ask for endless
 * ones.
 */
import { checkCertificateSigned } from '../certificates/signed-by.ts'
import { ExcessError } from '../cms/signed-data.ts'
import type { Setting } from './policy.ts'

export type Work = Setting & {
  /** To be called before a signature is verified. */
  spend: () => void
  /** The same, for those who find paths. */
  check: typeof checkCertificateSigned
}

const maxSignatures = 2000

export function startWork(setting: Setting): Work {
  let spent = 0
  const spend = () => {
    if (++spent > maxSignatures) throw new ExcessError('Too many signatures to verify')
  }
  return {
    ...setting,
    spend,
    check(certificate, issuerKey) {
      spend()
      return checkCertificateSigned(certificate, issuerKey)
    },
  }
}
