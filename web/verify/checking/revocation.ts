/**
 * Evidence about revocation that a signature does not contain. It is requested by the serial number of the
 * certificate and judged like the evidence in the signature.
 */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import type { Evidence, EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'

/** The OCSP response; null: the certification centre could not be asked. */
export type AskRevocation = (question: { issuer: string; serialNumber: string }) => Promise<Uint8Array | null>

const nothing: Evidence = { crls: [], ocsp: [] }

/**
 * Asks about every certificate. The only exception is a signer's certificate for which the signature contains a valid
 * answer given after the signing; forged or older answers in it prove nothing. Certification centres and timestamp
 * services are always asked about, because old evidence must not hide their revocation.
 */
export function evidenceFrom(ask: AskRevocation): EvidenceSource {
  const asked = new Map<string, Promise<Evidence>>()
  return (certificate, issuer, isProvedGood) => {
    if (isProvedGood && !isOfService(certificate)) return Promise.resolve(nothing)
    // Certification centres publish the status of their own certificates as lists, which are too large to
    // fetch for one certificate.
    const isAuthority = certificate.basicConstraints?.isAuthority === true
    if (isAuthority && addressesOf(certificate).ocsp.length === 0) return Promise.resolve(nothing)
    const question = {
      issuer: toHex(hash('sha-256', issuer.der)),
      serialNumber: toHex(certificate.serial),
    }
    const key = `${question.issuer} ${question.serialNumber}`
    const answer = asked.get(key) ?? answered(ask, question)
    asked.set(key, answer)
    return answer
  }
}

async function answered(ask: AskRevocation, question: Parameters<AskRevocation>[0]): Promise<Evidence> {
  const response = await ask(question)
  const basic = response && basicOf(response)
  return basic ? { crls: [], ocsp: [basic] } : { ...nothing, unreachable: ['ocsp'] }
}

function basicOf(response: Uint8Array) {
  try {
    return readOcspResponse(response).basic
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

const timestamping = '1.3.6.1.5.5.7.3.8'

function isOfService({ basicConstraints, extendedKeyUsage }: Certificate): boolean {
  return basicConstraints?.isAuthority === true || extendedKeyUsage?.includes(timestamping) === true
}
