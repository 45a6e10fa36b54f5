/** The data for the sheet of a signature, read from the CMS. The signature was judged before. */
import { visibleText } from '@kelisim/domain/visible-text.ts'
import { MalformedError } from '@kelisim/signature/asn1/read.ts'
import { isSame, toHex } from '@kelisim/signature/asn1/values.ts'
import {
  extensionOids,
  readableCertificate,
  type Certificate,
  type KeyUse,
} from '@kelisim/signature/certificates/certificate.ts'
import { readGeneralNames } from '@kelisim/signature/certificates/general-names.ts'
import { nameText } from '@kelisim/signature/certificates/names.ts'
import { ncaProfile } from '@kelisim/signature/certificates/nca-profile.ts'
import { readPolicies } from '@kelisim/signature/certificates/policies.ts'
import { isNamed } from '@kelisim/signature/cms/check-signer.ts'
import { embeddedEvidence, type EmbeddedEvidence } from '@kelisim/signature/cms/embedded-evidence.ts'
import { readSignedData, type SignedData } from '@kelisim/signature/cms/signed-data.ts'
import { readCrl } from '@kelisim/signature/revocation/crl.ts'
import { readBasicOcspResponse } from '@kelisim/signature/revocation/ocsp.ts'
import { readTimestampToken } from '@kelisim/signature/timestamps/timestamp.ts'

export type SignatureFacts = {
  name: string
  iin: string | null
  organization: string | null
  bin: string | null
  certificate: CertificateFacts | null
  algorithm: string
  timestamp: { at: Date; service: CertificateFacts | null } | null
  revocation: RevocationFacts | null
}

export type CertificateFacts = {
  subject: string
  alternativeNames: string
  serial: string
  from: Date
  until: Date
  issuer: string
  policies: string[]
  keyUsage: KeyUse[]
  extendedKeyUsage: string[]
}

export type RevocationFacts =
  | { by: 'ocsp'; status: 'good' | 'revoked' | 'unknown'; at: Date; service: CertificateFacts | null }
  | { by: 'crl'; at: Date; issuer: string; number: string }

export function signatureFacts(cms: Uint8Array): SignatureFacts {
  const data = readSignedData(cms)
  const [signer] = data.signers
  if (!signer) throw new Error('A signature that nobody gave')
  const certificate = signerCertificate(data)
  const profile = certificate && ncaProfile(certificate)
  const evidence = readable(() => embeddedEvidence(signer.unsignedAttributes)) ?? noEvidence
  const name = visibleText([profile?.commonName, profile?.givenName].filter(Boolean).join(' '))
  return {
    name,
    iin: profile?.iin ?? null,
    bin: profile?.bin ?? null,
    organization: profile?.organization ? visibleText(profile.organization) : null,
    certificate: certificate && certificateFacts(certificate),
    algorithm: signer.signatureAlgorithm.oid,
    timestamp: timestampFacts(evidence),
    revocation: certificate && revocationFacts(certificate, data, evidence),
  }
}

const noEvidence: EmbeddedEvidence = { timestamps: [], certificates: [], crls: [], basicOcspResponses: [] }

/** Unsigned attributes may contain anything: what cannot be parsed is not shown. */
function readable<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) return null
    throw error
  }
}

function signerCertificate({ certificates, signers }: SignedData): Certificate | null {
  return certificatesIn(certificates).find((one) => isNamed(signers[0]!, one)) ?? null
}

function certificatesIn(all: readonly Uint8Array[]): Certificate[] {
  return all.flatMap((der) => readableCertificate(der) ?? [])
}

function certificateFacts(certificate: Certificate): CertificateFacts {
  const { subject, issuer, serial, notBefore, notAfter, keyUsage, extendedKeyUsage } = certificate
  return {
    subject: visibleText(nameText(subject)),
    issuer: visibleText(nameText(issuer)),
    serial: toHex(serial),
    from: notBefore,
    until: notAfter,
    alternativeNames: alternativeNames(certificate),
    policies: [...(readable(() => readPolicies(certificate)) ?? [])],
    keyUsage: [...(keyUsage ?? [])],
    extendedKeyUsage: [...(extendedKeyUsage ?? [])],
  }
}

function alternativeNames({ extensions }: Certificate): string {
  const extension = extensions.get(extensionOids.subjectAltName)
  if (!extension) return ''
  const names = readable(() => readGeneralNames(extension.value)) ?? []
  return names.flatMap((name) => (name.form === 'email' ? [`rfc822Name=${name.text}`] : [])).join(', ')
}

function timestampFacts({ timestamps }: EmbeddedEvidence): SignatureFacts['timestamp'] {
  const [token] = timestamps.flatMap((bytes) => readable(() => readTimestampToken(bytes)) ?? [])
  if (!token) return null
  const service = signerCertificate(token.signedData)
  return { at: token.info.genTime, service: service && certificateFacts(service) }
}

/** Revocation facts from an OCSP response if there is one, otherwise from the revocation list. */
function revocationFacts(
  { serial, issuer }: Certificate,
  data: SignedData,
  evidence: EmbeddedEvidence,
): RevocationFacts | null {
  for (const der of evidence.basicOcspResponses) {
    const response = readable(() => readBasicOcspResponse(der))
    const single = response?.singles.find(({ id }) => isSame(id.serial, serial))
    if (!response || !single) continue
    const { responder, certificates } = response
    const isResponder = ({ subject }: Certificate) =>
      !('name' in responder) || isSame(subject, responder.name)
    const service = certificates.find(isResponder)
    return {
      by: 'ocsp',
      status: single.status,
      at: response.producedAt,
      service: service ? certificateFacts(service) : null,
    }
  }
  for (const der of [...evidence.crls, ...data.crls]) {
    const crl = readable(() => readCrl(der))
    if (!crl || !isSame(crl.issuer, issuer)) continue
    return { by: 'crl', at: crl.thisUpdate, issuer: nameText(crl.issuer), number: String(crl.number ?? '') }
  }
  return null
}
