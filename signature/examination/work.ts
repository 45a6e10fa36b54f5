/**
 * The state of an examination, and a count of its costly steps: a few kilobytes of hostile input could request endless
 * ones.
 */
import { toHex } from '../asn1/values.ts'
import { checkCertificateSigned } from '../certificates/signed-by.ts'
import { ExcessError } from '../cms/signed-data.ts'
import type { Evidence, Setting } from './policy.ts'

export type ExaminationWork = Setting & {
  /** Must be called before a signature is verified. */
  spend: () => void
  /** The same for path building, where cached results cost nothing. */
  check: typeof checkCertificateSigned
}

const maxSignatures = 2000

export function startWork(setting: Setting): ExaminationWork {
  // every comparison with an invalid date is false, so nothing would ever have expired
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
    // services are asked once about a certificate, however often it occurs in a message
    evidence(certificate, issuer, isProvedGood) {
      const names = [certificate.issuer, certificate.serial, issuer.publicKey.bits].map(toHex)
      const id = [...names, isProvedGood].join(' ')
      const known = asked.get(id) ?? setting.evidence(certificate, issuer, isProvedGood)
      asked.set(id, known)
      return known
    },
  }
}
