/** Whether something signed (a certificate, a CRL, an OCSP response) was signed by a key. */
import { hash } from '../algorithms/hash.ts'
import { verify, type VerificationResult } from '../algorithms/verify.ts'
import { toHex } from '../asn1/values.ts'
import { signatureAlgorithmOf, type AlgorithmIdentifier } from './algorithm-identifier.ts'
import type { Certificate } from './certificate.ts'
import type { PublicKeyInfo } from './public-key.ts'

export type Signed = { tbs: Uint8Array; signatureAlgorithm: AlgorithmIdentifier; signature: Uint8Array }

export type SignedResult = VerificationResult | 'unknown-algorithm'

export async function checkSigned(signed: Signed, { key }: PublicKeyInfo): Promise<SignedResult> {
  const algorithm = signatureAlgorithmOf(signed.signatureAlgorithm)
  if (!algorithm || !key) return 'unknown-algorithm'
  return verify(algorithm, key, signed.tbs, signed.signature)
}

/**
 * The same for certificates, cached because a centre's certificate occurs in every signature. The cache depends only
 * on the bytes of the certificate and the key.
 */
export async function checkCertificateSigned(
  certificate: Certificate,
  issuerKey: PublicKeyInfo,
  /** Called before an uncached verification. */
  onWork: () => void = () => {},
): Promise<SignedResult> {
  const id = toHex(hash('sha-256', certificate.der)) + toHex(hash('sha-256', issuerKey.der))
  const known = remembered.get(id)
  if (known) return known
  onWork()
  const outcome = await checkSigned(certificate, issuerKey)
  if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
  remembered.set(id, outcome)
  return outcome
}

const maxRemembered = 1000
const remembered = new Map<string, SignedResult>()
