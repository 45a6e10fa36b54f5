import { MalformedError } from '../asn1/read.ts'
import { readableCertificate, type Certificate } from '../certificates/certificate.ts'
import { ncaProfile, type NcaProfile } from '../certificates/nca-profile.ts'

/** The certificates that can be parsed. Unreadable ones in a message matter only if the signer's is among them. */
export function readableCertificates(all: readonly Uint8Array[]): {
  certificates: Certificate[]
  areAllReadable: boolean
} {
  const certificates = all.flatMap((der) => readableCertificate(der) ?? [])
  return { certificates, areAllReadable: certificates.length === all.length }
}

/** The certificate's owner; null where its name cannot be read. */
export function ownerOf(certificate: Certificate): NcaProfile | null {
  try {
    return ncaProfile(certificate)
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}
