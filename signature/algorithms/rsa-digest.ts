/**
 * RSA with PKCS#1 v1.5 padding over a digest, for signatures over the document itself, which WebCrypto would need in
 * memory. The padding is built and compared, never parsed: parsing it is how such signatures get forged.
 */
import { fromBigEndian } from './numbers.ts'
import type { RsaKey, ShaName } from './web-crypto.ts'

export function isRsaOfDigest(
  { modulus, exponent }: RsaKey,
  hash: ShaName,
  digest: Uint8Array,
  signature: Uint8Array,
): boolean {
  const n = fromBigEndian(modulus)
  const value = fromBigEndian(signature)
  const length = Math.ceil(n.toString(16).length / 2)
  if (signature.length !== length || value >= n) return false
  return power(value, fromBigEndian(exponent), n) === padded(hash, digest, length)
}

/** 00 01 ff … ff 00 DigestInfo */
function padded(hash: ShaName, digest: Uint8Array, length: number): bigint {
  const info = [...digestInfo[hash], ...digest]
  const filling = Array.from({ length: length - info.length - 3 }, () => 0xff)
  return fromBigEndian(Uint8Array.from([0, 1, ...filling, 0, ...info]))
}

/** SEQUENCE { SEQUENCE { the hash's identifier, NULL }, OCTET STRING } up to the digest. */
const digestInfo: Record<ShaName, readonly number[]> = {
  'sha-256': [0x30, 0x31, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1, 5, 0, 4, 0x20],
  'sha-384': [0x30, 0x41, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2, 5, 0, 4, 0x30],
  'sha-512': [0x30, 0x51, 0x30, 0x0d, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3, 5, 0, 4, 0x40],
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
