/**
 * The trusted certification centres, from a folder of certificates: self-issued ones are roots, the others
 * intermediates.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { isSame } from '@kelisim/signature/asn1/values.ts'
import { readCertificate } from '@kelisim/signature/certificates/certificate.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { allDerOf } from '@kelisim/signature/asn1/pem.ts'

export type TrustedCertificates = { roots: Uint8Array[]; centres: Uint8Array[] }

/** An error with a message for the administrator who put the files there. */
export class TrustError extends Error {}

/**
 * Reads the folder with its subfolders. An unreadable file stops the start, because a silently missing root would
 * refuse everybody.
 */
export function readTrust(folder: string): TrustedCertificates {
  const certificates = filesBelow(folder).flatMap((path) => {
    try {
      return allDerOf(readFileSync(path)).map(readCertificate)
    } catch (error) {
      if (error instanceof MalformedError)
        throw new TrustError(`${path} is not a certificate: ${error.message}`)
      throw error
    }
  })
  const isRoot = ({ issuer, subject }: (typeof certificates)[number]) => isSame(issuer, subject)
  const roots = certificates.filter(isRoot).map(({ der }) => der)
  if (roots.length === 0) throw new TrustError(`There is no root certificate in ${folder}`)
  return { roots, centres: certificates.filter((one) => !isRoot(one)).map(({ der }) => der) }
}

/** SHA-256 of a test root of the national centre whose name cannot be told from that of a real one. */
const testRoot = 'e76d2ba06ba15f28b590f9452a7a5f1150c68dd11d09842f0b63041339048056'

/**
 * The names of trusted test and demo centres. Anybody gets a key with any number there, so trusting one lets
 * everybody act in everybody's name.
 */
export function testCentresIn({ roots, centres }: TrustedCertificates): string[] {
  return [...roots, ...centres].flatMap((der) => {
    const name = ncaProfile(readCertificate(der)).commonName ?? ''
    const isKnown = createHash('sha256').update(der).digest('hex') === testRoot
    return isKnown || /\b(TEST|DEMO)\b|ДЕМО/.test(name) ? [name] : []
  })
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(cer|crt|der|pem)$/i.test(name))
      .toSorted()
      .map((name) => join(folder, name))
  } catch {
    throw new TrustError(`The folder ${folder} cannot be read`)
  }
}
