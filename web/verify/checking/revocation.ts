/**
 * Evidence about revocation that a signature does not contain. It is requested by the serial number of the
 * certificate, only if the signature has none of its own, and judged here like any other.
 */
import { hash } from '@kelisim/signature/algorithms/hash.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { toHex } from '@kelisim/signature/asn1/values.ts'
import type { Certificate } from '@kelisim/signature/certificates/certificate.ts'
import { embeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import type { Evidence, EvidenceSource } from '@kelisim/signature/examination/policy.ts'
import { readableEvidence } from '@kelisim/signature/examination/revocation.ts'
import { addressesOf } from '@kelisim/signature/revocation/addresses.ts'
import { isMeant, readOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { readable } from '../reading/kind-of.ts'

/** The OCSP response; null: the certification centre could not be asked. */
export type AskRevocation = (question: { issuer: string; serialNumber: string }) => Promise<Uint8Array | null>

const nothing: Evidence = { crls: [], ocsp: [] }

export function evidenceFrom(ask: AskRevocation): EvidenceSource {
  const asked = new Map<string, Promise<Evidence>>()
  return (certificate, issuer) => {
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

/**
 * Whether a timestamped signature contains the response about its signer's certificate, so that the centre need not be
 * asked. Centres and timestamp services are always asked about, because old evidence must not hide their revocation.
 */
export function broughtIn(der: Uint8Array): (certificate: Certificate, issuer: Certificate) => boolean {
  const data = readable(der)
  const stamped = (data?.signers ?? []).flatMap(({ unsignedAttributes }) => {
    try {
      const embedded = embeddedEvidence(unsignedAttributes)
      return embedded.timestamps.length > 0 ? readableEvidence(embedded, data!).ocsp : []
    } catch (error) {
      if (error instanceof MalformedError) return []
      throw error
    }
  })
  return (certificate, issuer) =>
    !certificate.basicConstraints?.isAuthority &&
    !certificate.extendedKeyUsage?.includes(timestamping) &&
    stamped.some(({ singles }) => singles.some(({ id }) => isMeant(id, certificate, issuer)))
}
