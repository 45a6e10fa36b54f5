/**
 * Evidence for a signature inside XML, appended as unsigned properties (XAdES); the bytes of the signature stay as
 * received.
 */
import { joined, toBase64 } from '../asn1/values.ts'
import { signatureNamed } from './algorithms.ts'
import { canonicalElement, exclusiveAddress, formNamed } from './canonical.ts'
import { readEnveloped } from './enveloped-element.ts'
import { readXml } from './read.ts'
import { readSignature, signatureNamespace } from './signature-element.ts'

const xades = 'http://uri.etsi.org/01903/v1.3.2#'

export type XmlEvidence = {
  /** Timestamps over the result of `stampedBytes`. */
  timestamps: readonly Uint8Array[]
  certificates: readonly Uint8Array[]
  /** Whole responses, not only their basic part. */
  ocspResponses: readonly Uint8Array[]
  crls: readonly Uint8Array[]
}

/**
 * The bytes that a timestamp covers. In the exclusive canonical form they do not depend on what is around the
 * signature.
 */
export function stampedBytes(signature: Uint8Array): Uint8Array {
  const { valueElement } = readEnveloped(signature)
  return new TextEncoder().encode(canonicalElement(valueElement, formNamed(exclusiveAddress)!))
}

/** Whether other software supports the signature's algorithms. */
export function isByRsa(signature: Uint8Array): boolean {
  return signatureNamed(readEnveloped(signature).signatureMethod)?.kind === 'rsa-pkcs1'
}

export function withXmlEvidence(signature: Uint8Array, evidence: XmlEvidence): Uint8Array {
  const { timestamps, certificates, ocspResponses, crls } = evidence
  const values = [
    ...timestamps.map((token) =>
      element(
        'SignatureTimeStamp',
        `<ds:CanonicalizationMethod Algorithm="${exclusiveAddress}"/>${encapsulated('TimeStamp', [token])}`,
      ),
    ),
    element('CertificateValues', encapsulated('X509Certificate', certificates)),
    element(
      'RevocationValues',
      element('CRLValues', encapsulated('CRLValue', crls)) +
        element('OCSPValues', encapsulated('OCSPValue', ocspResponses)),
    ),
  ].join('')
  if (values === '') return signature
  const properties = element('UnsignedProperties', element('UnsignedSignatureProperties', values))
  const object =
    `<ds:Object xmlns:ds="${signatureNamespace}"><xades:QualifyingProperties xmlns:xades="${xades}" Target="">` +
    `${properties}</xades:QualifyingProperties></ds:Object>`
  const end = signature.lastIndexOf(0x3c)
  return joined([signature.subarray(0, end), new TextEncoder().encode(object), signature.subarray(end)])
}

function encapsulated(kind: string, all: readonly Uint8Array[]): string {
  return all.map((der) => element(`Encapsulated${kind}`, toBase64(der))).join('')
}

function element(name: string, content: string): string {
  return content === '' ? '' : `<xades:${name}>${content}</xades:${name}>`
}

export function hasTimestampInside(proved: Uint8Array): boolean {
  const document = readXml(proved)
  return (readSignature(document.root, document).properties?.timestamps.length ?? 0) > 0
}
