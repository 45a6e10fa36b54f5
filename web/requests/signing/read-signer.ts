/** Reads the certificate of a signature in the browser before anything is sent; loaded when somebody signs. */
import { isNamed } from '@kelisim/signature/cms/check-signer.ts'
import { readSignedData } from '@kelisim/signature/cms/signed-data.ts'
import { readableCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { isXmlSignature, readEnveloped } from '@kelisim/signature/xml/enveloped-element.ts'
import type { CertificateOwner } from '@kelisim/domain/signatures/owner.ts'

export type SignerRead = {
  owner: CertificateOwner
  /** The certificate: equal certificates mean the same key. */
  certificate: string
}

/** Null: the server decides. */
export function readSigner(signature: string): SignerRead | null {
  try {
    const bytes = bytesOf(signature)
    const der = isXmlSignature(bytes) ? readEnveloped(bytes).certificates[0] : certificateIn(bytes)
    const read = der && readableCertificate(der)
    return read ? { owner: ncaProfile(read), certificate: der.join() } : null
  } catch {
    return null
  }
}

function certificateIn(cms: Uint8Array): Uint8Array | undefined {
  const { certificates, signers } = readSignedData(cms)
  const [signer] = signers
  return certificates.find((der) => {
    const read = readableCertificate(der)
    return signer && read && isNamed(signer, read)
  })
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
