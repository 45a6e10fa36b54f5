/** Reads the certificate of a signature in the browser before anything is sent; loaded when somebody signs. */
import { isNamed } from '@kelisim/signature/cms/check-signer.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { readableCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import type { CertificateOwner } from '@kelisim/domain/signatures/owner.ts'

export type SignerRead = {
  owner: CertificateOwner
  /** The certificate: equal certificates mean the same key. */
  certificate: string
}

/** Null: the server decides. */
export function readSigner(signature: string): SignerRead | null {
  try {
    const { certificates, signers } = readSignedData(bytesOf(signature))
    const [signer] = signers
    const own = certificates
      .map((der) => ({ der, read: readableCertificate(der) }))
      .find(({ read }) => signer && read && isNamed(signer, read))
    return own?.read ? { owner: ncaProfile(own.read), certificate: own.der.join() } : null
  } catch {
    return null
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))
}
