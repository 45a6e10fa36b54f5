/**
 * What an examination carries along, and a count of the costly steps: a few kilobytes can be made to ask for endless
 * ones.
 */
import { toHex } from '../asn1/values.ts'
import { checkCertificateSigned } from '../certificates/signed-by.ts'
import { ExcessError } from '../cms/signed-data.ts'
import type { Evidence, Setting } from './policy.ts'

export type Work = Setting & {
  /** To be called before a signature is verified. */
  spend: () => void
  /** The same, for those who find paths; what is remembered costs nothing. */
  check: typeof checkCertificateSigned
}

const maxSignatures = 2000

export function startWork(setting: Setting): Work {
  // every comparison with it would be false, and nothing would ever have expired
  if (Number.isNaN(setting.at.getTime())) throw new RangeError('The time of the check is no time')
  let spent = 0
  const spend = () => {
    if (++spent > maxSignatures) throw new ExcessError('Too many signatures to verify')
  }
  const asked = new Map<string, Promise<Evidence>>()
  return {
    ...setting,
    spend,
    check: (certificate, issuerKey) => checkCertificateSigned(certificate, issuerKey, spend),
    // services are asked once about a certificate, however often a message makes us meet it
    evidence(certificate, issuer) {
      const id = `${toHex(certificate.issuer)} ${toHex(certificate.serial)} ${toHex(issuer.publicKey.bits)}`
      const known = asked.get(id) ?? setting.evidence(certificate, issuer)
      asked.set(id, known)
      return known
    },
  }
}
