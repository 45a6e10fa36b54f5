/**
 * Whether a SignerInfo is a signature over this content by the key of this certificate, bound to it. Whether the
 * certificate is trusted is decided elsewhere. Used for documents, timestamps and counter-signatures.
 */
import type { HashName } from '../algorithms/hash.ts'
import { verify, verifyDigest, type SignatureAlgorithm } from '../algorithms/verify.ts'
import { MalformedError, tags } from '../asn1/read.ts'
import { isSame, octetsOf, timeOf } from '../asn1/values.ts'
import {
  digestAlgorithmOf,
  isKnownAlgorithm,
  signatureAlgorithmOf,
} from '../certificates/algorithm-identifier.ts'
import { isSameName } from '../certificates/names.ts'
import type { Certificate } from '../certificates/certificate.ts'
import type { Finding } from '../findings/findings.ts'
import { cmsOids, oidValue, singleValue, type SignedAttributes, type SignerInfo } from './signed-data.ts'
import { certificateReferences, isReferredTo, type CertificateReference } from './signing-certificate.ts'

export type SignedContent = {
  /** Null for a counter-signature, which must not state a content type. */
  type: string | null
  /** Null where the content is not available. */
  digest: (hash: HashName) => Uint8Array | null
}

export type SignerPolicy = {
  signedAttributes: 'required' | 'optional'
  signingCertificate: 'required' | 'optional'
}

export type SignerCheck = {
  certificate: Certificate | null
  algorithm: SignatureAlgorithm | null
  /** The signer's clock, which proves nothing. */
  signingTime: Date | null
  findings: Finding[]
}

export async function checkSigner(
  signer: SignerInfo,
  content: SignedContent,
  certificates: readonly Certificate[],
  policy: SignerPolicy,
): Promise<SignerCheck> {
  const attributes = attributesOf(signer)
  const findings: Finding[] = []
  let candidates: Certificate[] = []
  let wrong: Finding | null = null
  const hashName = digestAlgorithmOf(signer.digestAlgorithm)
  const algorithm = hashName && signatureAlgorithmOf(signer.signatureAlgorithm, hashName)
  const check: SignerCheck = {
    certificate: null,
    algorithm,
    signingTime: attributes === 'wrong' ? null : attributes.signingTime,
    findings,
  }
  if (attributes === 'wrong') findings.push('attributes-wrong')
  else {
    findings.push(...attributeFindings(signer.signedAttributes, attributes, content, policy))
    const named = certificates.filter((certificate) => isNamed(signer, certificate))
    candidates = named.filter((one) =>
      attributes.references.every((reference) => isReferredTo(one, reference)),
    )
    check.certificate = candidates[0] ?? null
    if (named.length === 0) findings.push('certificate-missing')
    else if (candidates.length === 0) findings.push('certificate-other')
  }

  if (!hashName || !algorithm) {
    findings.push(
      hashName && isKnownAlgorithm(signer.signatureAlgorithm) ? 'unfit-algorithm' : 'unknown-algorithm',
    )
    return check
  }
  const digest = content.digest(hashName)
  if (
    attributes !== 'wrong' &&
    attributes.messageDigest &&
    digest &&
    !isSame(attributes.messageDigest, digest)
  ) {
    findings.push('other-document')
  }
  for (const candidate of candidates.slice(0, maxCandidates)) {
    const finding = await signatureFinding(signer, algorithm, candidate, digest)
    if (finding) wrong ??= finding
    else {
      check.certificate = candidate
      return check
    }
  }
  if (wrong) findings.push(wrong)
  return check
}

/** Anybody may add certificates of the same name and number; more than this are an attack. */
const maxCandidates = 8

type ReadAttributes = {
  contentType: string | null
  messageDigest: Uint8Array | null
  signingTime: Date | null
  references: CertificateReference[]
}

function attributesOf({ signedAttributes }: SignerInfo): ReadAttributes | 'wrong' {
  if (!signedAttributes) return { contentType: null, messageDigest: null, signingTime: null, references: [] }
  const { list } = signedAttributes
  try {
    const messageDigest = singleValue(list, cmsOids.messageDigest)
    const signingTime = singleValue(list, cmsOids.signingTime)
    return {
      contentType: oidValue(list, cmsOids.contentType),
      messageDigest: messageDigest && octetsOf(messageDigest, tags.octetString),
      signingTime: signingTime && timeOf(signingTime),
      references: certificateReferences(list),
    }
  } catch (error) {
    if (error instanceof MalformedError) return 'wrong'
    throw error
  }
}

function attributeFindings(
  signed: SignedAttributes | null,
  attributes: ReadAttributes,
  content: SignedContent,
  policy: SignerPolicy,
): Finding[] {
  // without attributes the signature is over the content alone, and content can be crafted to look like attributes
  if (!signed) return policy.signedAttributes === 'required' ? ['attributes-missing'] : []
  const findings: Finding[] = []
  if (attributes.contentType !== content.type || !attributes.messageDigest) findings.push('attributes-wrong')
  if (attributes.references.length === 0 && policy.signingCertificate === 'required') {
    findings.push('certificate-not-bound')
  }
  return findings
}

/**
 * Whether the SignerInfo names this certificate, by issuer and number or by key identifier. If several match, the one
 * whose key fits is the signer's.
 */
export function isNamed({ signerId }: SignerInfo, { serial, issuer, subjectKeyId }: Certificate): boolean {
  return 'serial' in signerId
    ? isSame(serial, signerId.serial) && isSameName(issuer, signerId.issuer)
    : subjectKeyId !== null && isSame(subjectKeyId, signerId.subjectKeyId)
}

async function signatureFinding(
  { signature, signedAttributes }: SignerInfo,
  algorithm: SignatureAlgorithm,
  certificate: Certificate,
  digest: Uint8Array | null,
): Promise<Finding | null> {
  const { key } = certificate.publicKey
  if (!key) return 'unknown-algorithm'
  if (!signedAttributes && !digest) return null
  const outcome = signedAttributes
    ? await verify(algorithm, key, signedAttributes.der, signature)
    : verifyDigest(algorithm, key, digest!, signature)
  return outcome === 'valid' ? null : outcome
}
