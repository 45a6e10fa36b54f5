/**
 * Makes CMS signatures like the national desktop program: one signer, only its own certificate, attributes in DER
 * order, the certificate bound by its SHA-256.
 */
import { hash } from '../algorithms/hash.ts'
import { constructed, tags } from '../asn1/read.ts'
import { joined } from '../asn1/values.ts'
import { element, explicit, integer, octetString, oid, sequence, setOf, time } from '../asn1/write.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { addEvidence, mergeAttached } from '../cms/build.ts'
import { cmsOids, readSignedData } from '../cms/signed-data.ts'
import type { Bytes, SigningKey } from './keys.ts'

export type CmsSigner = { key: SigningKey; certificate: Certificate }

export type CmsForm =
  /** With signingCertificateV2, as the desktop program makes it. */
  | 'cades'
  /** Without signingCertificateV2, as older programs do. */
  | 'plain'
  /** Without signed attributes: the signature is over the document itself. */
  | 'no-attributes'

export type CmsOptions = { form?: CmsForm; signingTime: Date }

export async function signAttached(
  content: Uint8Array,
  signer: CmsSigner,
  options: CmsOptions,
): Promise<Bytes> {
  const info = await signerInfoOver({ content }, signer, options)
  return signedData([sequence(oid(cmsOids.data), explicit(0, octetString(content))), info], signer)
}

export async function signDetached(
  content: Uint8Array,
  signer: CmsSigner,
  options: CmsOptions,
): Promise<Bytes> {
  return signedData([sequence(oid(cmsOids.data)), await signerInfoOver({ content }, signer, options)], signer)
}

/** Makes a detached signature from the digest of the document, whose length is not checked, as in the program. */
export async function signDigest(digest: Uint8Array, signer: CmsSigner, options: CmsOptions): Promise<Bytes> {
  return signedData([sequence(oid(cmsOids.data)), await signerInfoOver({ digest }, signer, options)], signer)
}

/** Adds another signer. The program supports this only where the document is attached. */
export async function coSign(cms: Uint8Array, signer: CmsSigner, options: CmsOptions): Promise<Bytes> {
  const { content } = readSignedData(cms)
  if (!content) throw new RangeError('There is no document in it')
  const document = joined(content)
  const { head, tail } = mergeAttached([cms, await signDetached(document, signer, options)], document.length)
  return joined([head, document, tail])
}

/** Adds a timestamp over a signer's signature value, obtained by `stamp`. */
export async function withTimestamp(
  cms: Uint8Array,
  signerIndex: number,
  stamp: (signature: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  const signer = readSignedData(cms).signers[signerIndex]
  if (!signer) throw new RangeError(`There is no signer ${signerIndex}`)
  return addEvidence(cms, signerIndex, { timestamps: [await stamp(signer.signature)] })
}

async function signerInfoOver(
  document: { content: Uint8Array } | { digest: Uint8Array },
  signer: CmsSigner,
  { form = 'cades', signingTime }: CmsOptions,
): Promise<Bytes> {
  if (form === 'no-attributes') {
    if (!('content' in document)) throw new RangeError('Without attributes the document itself is signed')
    return signerInfo(signer, [], document.content)
  }
  const digest = 'digest' in document ? document.digest : hash(signer.key.hash, document.content)
  return signerInfo(signer, [
    ...usualAttributes(cmsOids.data, digest, signingTime),
    ...(form === 'cades'
      ? [attribute(cmsOids.signingCertificateV2, certificateReference('sha-256', signer.certificate))]
      : []),
  ])
}

export function usualAttributes(contentType: string, digest: Uint8Array, signingTime: Date): Bytes[] {
  return [
    attribute(cmsOids.contentType, oid(contentType)),
    attribute(cmsOids.signingTime, time(signingTime)),
    attribute(cmsOids.messageDigest, octetString(digest)),
  ]
}

export function attribute(type: string, value: Uint8Array): Bytes {
  return sequence(oid(type), setOf([value]))
}

/**
 * A reference to a certificate without issuer and number: ESSCertID for SHA-1, ESSCertIDv2 for SHA-256, which need
 * not be named.
 */
export function certificateReference(name: 'sha-1' | 'sha-256', { der }: Certificate): Bytes {
  return sequence(sequence(sequence(octetString(hash(name, der)))))
}

/** The signature is over the attributes as a SET; without attributes, over the document. */
export async function signerInfo(
  { key, certificate }: CmsSigner,
  attributes: readonly Uint8Array[],
  document?: Uint8Array,
): Promise<Bytes> {
  const signature = await key.sign(document ?? setOf(attributes))
  return sequence(
    integer(1),
    sequence(certificate.issuer, element(tags.integer, certificate.serial)),
    key.digestAlgorithm,
    ...(document ? [] : [setOf(attributes, constructed(0))]),
    key.signatureAlgorithm,
    octetString(signature),
  )
}

/** Builds a SignedData from a content and a SignerInfo. */
export function signedData(
  [content, info]: [Uint8Array, Uint8Array],
  { key, certificate }: CmsSigner,
  { version = 1, hasCertificate = true } = {},
): Bytes {
  const body = sequence(
    integer(version),
    setOf([key.digestAlgorithm]),
    content,
    ...(hasCertificate ? [setOf([certificate.der], constructed(0))] : []),
    setOf([info]),
  )
  return sequence(oid(cmsOids.signedData), explicit(0, body))
}
