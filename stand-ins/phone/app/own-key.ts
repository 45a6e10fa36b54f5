/** The person's key: a file and its password, in place of the key behind the PIN of a real phone. */
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { openPkcs12 } from '@kelisim/signature/signer/pkcs12.ts'
import type { CmsSigner } from '@kelisim/signature/signer/sign-cms.ts'
import { PhoneError } from './phone-error.ts'

export type KeyInFile = { p12: Uint8Array; password: string }

export type KeyDemands = {
  use: 'signature' | 'authentication'
  /** Accepts any key, like a faulty app. */
  isAnyTaken: boolean
  at: Date
}

export async function openKey({ p12, password }: KeyInFile, demands: KeyDemands): Promise<CmsSigner> {
  const opened = await openPkcs12(p12, password)
  if (opened.outcome === 'wrong-password') throw new PhoneError('wrong-password')
  if (opened.outcome !== 'opened') throw new PhoneError('unreadable')
  const signers = opened.contents.entries.flatMap(({ key, certificate }) =>
    certificate ? [{ key, certificate }] : [],
  )
  const fitting = signers.find(({ certificate }) => isFor(demands.use, certificate))
  if (demands.isAnyTaken && signers[0]) return fitting ?? signers[0]
  if (!signers[0]) throw new PhoneError('no-key')
  if (!fitting) throw new PhoneError(demands.use === 'signature' ? 'not-for-signing' : 'not-for-login')
  const { notBefore, notAfter } = fitting.certificate
  if (demands.at < notBefore || demands.at > notAfter) throw new PhoneError('not-in-time')
  return fitting
}

function isFor(use: KeyDemands['use'], certificate: CmsSigner['certificate']): boolean {
  const { keyUse } = ncaProfile(certificate)
  return keyUse === 'both' || keyUse === use
}
