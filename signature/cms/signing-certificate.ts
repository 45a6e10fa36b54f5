/**
 * The signed attribute that binds the signer's certificate (ESS, RFC 5035): without it the same signature could be
 * presented with another certificate of the same key.
 */
import { hash } from '../algorithms/hash.ts'
import {
  constructed,
  elements,
  finish,
  inside,
  isAtEnd,
  MalformedError,
  next,
  peek,
  tags,
  take,
  takeIf,
  type Element,
} from '../asn1/read.ts'
import { isSame, takeInteger } from '../asn1/values.ts'
import { digestAlgorithmOf, takeAlgorithm } from '../certificates/algorithm-identifier.ts'
import { isSameName } from '../certificates/names.ts'
import type { Certificate } from '../certificates/certificate.ts'
import type { HashName } from '../algorithms/hash.ts'
import { cmsOids, singleValue, type Attribute } from './signed-data.ts'

export type CertificateReference = {
  hash: HashName
  digest: Uint8Array
  issuerSerial: { issuer: Uint8Array; serial: Uint8Array } | null
}

/** References of both versions; the certificate must match all of them. */
export function certificateReferences(attributes: readonly Attribute[]): CertificateReference[] {
  const first = singleValue(attributes, cmsOids.signingCertificate)
  const second = singleValue(attributes, cmsOids.signingCertificateV2)
  return [...(first ? [referenceOf(first, 1)] : []), ...(second ? [referenceOf(second, 2)] : [])]
}

/** The first of the listed certificates is the signer's; the others belong to its issuers. */
function referenceOf(value: Element, version: 1 | 2): CertificateReference {
  if (value.tag !== tags.sequence) throw new MalformedError('Not a reference to a certificate')
  const fields = inside(value)
  const [first] = elements(take(fields, tags.sequence))
  takeIf(fields, tags.sequence)
  finish(fields)
  if (first?.tag !== tags.sequence) throw new MalformedError('A reference to no certificate')
  const id = inside(first)
  const algorithm = version === 2 && peek(id) === tags.sequence ? takeAlgorithm(id) : null
  const hashName = version === 1 ? 'sha-1' : algorithm ? digestAlgorithmOf(algorithm) : 'sha-256'
  const digest = take(id, tags.octetString).content
  const issuerSerial = isAtEnd(id) ? null : issuerSerialOf(take(id, tags.sequence))
  finish(id)
  if (!hashName) throw new MalformedError('A reference by an unknown hash')
  if (version === 2 && hashName === 'sha-1') throw new MalformedError('A reference by a weak hash')
  return { hash: hashName, digest, issuerSerial }
}

/** GeneralNames with a single directory name. */
function issuerSerialOf(element: Element): CertificateReference['issuerSerial'] {
  const fields = inside(element)
  const [name, ...others] = elements(take(fields, tags.sequence))
  const serial = takeInteger(fields)
  finish(fields)
  if (name?.tag !== constructed(4) || others.length > 0) throw new MalformedError('Not the name of an issuer')
  return { issuer: next(inside(name)).whole, serial }
}

export function isReferredTo(certificate: Certificate, reference: CertificateReference): boolean {
  const { issuerSerial } = reference
  return (
    isSame(digestOf(certificate, reference.hash), reference.digest) &&
    (issuerSerial === null ||
      (isSameName(issuerSerial.issuer, certificate.issuer) &&
        isSame(issuerSerial.serial, certificate.serial)))
  )
}

/** Cached by certificate and hash: many signers may refer to the same few long ones. */
function digestOf(certificate: Certificate, name: HashName): Uint8Array {
  const known = digests.get(certificate) ?? new Map<HashName, Uint8Array>()
  digests.set(certificate, known)
  const digest = known.get(name) ?? hash(name, certificate.der)
  known.set(name, digest)
  return digest
}

const digests = new WeakMap<Certificate, Map<HashName, Uint8Array>>()
