/**
 * The single entry to all signature algorithms, for bytes that were parsed elsewhere. No content of the bytes makes it
 * throw.
 */
import { curves } from './curves.ts'
import { decodeKey, verifyGost, type GostKey, type GostWire } from './gost.ts'
import { hash } from './hash.ts'
import { isEcdsaOfDigest } from './ecdsa-digest.ts'
import { isRsaOfDigest } from './rsa-digest.ts'
import {
  coordinateLength,
  derToPair,
  importEcKey,
  importRsaKey,
  isSaneRsa,
  verifyEcdsa,
  verifyRsa,
  type EcKey,
  type RsaKey,
  type ShaName,
} from './web-crypto.ts'

export type GostHash = 'streebog-256' | 'streebog-512' | 'gost-34.311' | 'gost-34.11-94'

export type SignatureAlgorithm =
  | { kind: 'rsa-pkcs1'; hash: ShaName | 'sha-1' }
  /** The mask uses the same hash; other masks are not supported. */
  | { kind: 'rsa-pss'; hash: ShaName | 'sha-1'; saltLength: number }
  | { kind: 'ecdsa'; hash: ShaName | 'sha-1' }
  | { kind: 'gost'; hash: GostHash; wire: GostWire }

export type PublicKey =
  | ({ kind: 'rsa' } & RsaKey)
  | ({ kind: 'ec' } & EcKey)
  /** The hash and encoding it signs with, where its identifier says so. */
  | ({ kind: 'gost'; signsWith?: { hash: GostHash; wire: GostWire } } & GostKey)

export type VerificationResult =
  | 'valid'
  /** Malformed, or not a signature of these bytes by this key. */
  | 'wrong-signature'
  /** An invalid key: too short, off the curve, of small order. */
  | 'bad-key'
  /** The algorithm is known and no longer trusted. */
  | 'weak-algorithm'
  /** The algorithm does not fit this kind or length of key. */
  | 'unfit-algorithm'

export async function verify(
  algorithm: SignatureAlgorithm,
  key: PublicKey,
  signedBytes: Uint8Array,
  signature: Uint8Array,
): Promise<VerificationResult> {
  if (algorithm.kind === 'gost') {
    return verifyDigest(algorithm, key, hash(algorithm.hash, signedBytes), signature)
  }
  if (algorithm.hash === 'sha-1') return 'weak-algorithm'
  switch (algorithm.kind) {
    case 'rsa-pkcs1':
    case 'rsa-pss': {
      if (key.kind !== 'rsa') return 'unfit-algorithm'
      const padding =
        algorithm.kind === 'rsa-pss'
          ? { kind: 'pss' as const, saltLength: algorithm.saltLength }
          : { kind: 'pkcs1' as const }
      const imported = await importRsaKey(key, padding.kind, algorithm.hash)
      if (!imported) return 'bad-key'
      return resultOf(await verifyRsa(imported, padding, signedBytes, signature))
    }
    case 'ecdsa': {
      if (key.kind !== 'ec') return 'unfit-algorithm'
      const imported = await importEcKey(key)
      if (!imported) return 'bad-key'
      return resultOf(await verifyEcdsa(imported, key.curve, algorithm.hash, signedBytes, signature))
    }
  }
}

/** Whether the key is acceptable. Verification checks the same; this is for a key that has verified nothing yet. */
export async function isSoundKey(key: PublicKey): Promise<boolean> {
  switch (key.kind) {
    case 'rsa':
      return isSaneRsa(key)
    case 'ec':
      return (await importEcKey(key)) !== null
    case 'gost':
      return decodeKey(key) !== null
  }
}

/** For signatures over the document itself, whose digest was computed from a stream. Not for PSS. */
export function verifyDigest(
  algorithm: SignatureAlgorithm,
  key: PublicKey,
  digest: Uint8Array,
  signature: Uint8Array,
): VerificationResult {
  if (algorithm.kind === 'rsa-pkcs1' && key.kind === 'rsa') {
    if (algorithm.hash === 'sha-1') return 'weak-algorithm'
    if (!isSaneRsa(key)) return 'bad-key'
    return resultOf(isRsaOfDigest(key, algorithm.hash, digest, signature))
  }
  if (algorithm.kind === 'ecdsa' && key.kind === 'ec') {
    if (algorithm.hash === 'sha-1') return 'weak-algorithm'
    const pair = derToPair(signature, coordinateLength[key.curve])
    return resultOf(pair !== null && isEcdsaOfDigest(key.curve, key.point, digest, pair))
  }
  if (algorithm.kind !== 'gost' || key.kind !== 'gost') return 'unfit-algorithm'
  if (digest.length * 8 !== curves[key.curve].bits) return 'unfit-algorithm'
  const { signsWith } = key
  if (signsWith && (signsWith.hash !== algorithm.hash || signsWith.wire !== algorithm.wire))
    return 'unfit-algorithm'
  const point = decodeKey(key)
  if (!point) return 'bad-key'
  return resultOf(verifyGost(point, key.curve, digest, signature, algorithm.wire))
}

function resultOf(isRight: boolean): VerificationResult {
  return isRight ? 'valid' : 'wrong-signature'
}
