/**
 * RSA and ECDSA through WebCrypto, which Node and every browser have. Weak keys that it would accept are refused here.
 */
import { fromBigEndian } from './numbers.ts'

export type ShaName = 'sha-256' | 'sha-384' | 'sha-512'

/** Numbers as written in the certificate: big-endian, with or without leading zeros. */
export type RsaKey = { modulus: Uint8Array; exponent: Uint8Array }

export type NistCurve = 'p-256' | 'p-384'
/** 04‖x‖y, as written in the certificate. */
export type EcKey = { curve: NistCurve; point: Uint8Array }

export async function verifyRsa(
  key: CryptoKey,
  padding: { kind: 'pkcs1' } | { kind: 'pss'; saltLength: number },
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const algorithm =
    padding.kind === 'pkcs1'
      ? { name: 'RSASSA-PKCS1-v1_5' }
      : { name: 'RSA-PSS', saltLength: padding.saltLength }
  return isVerified(algorithm, key, signature, message)
}

/** Null where the key is invalid. */
export async function importRsaKey(
  key: RsaKey,
  kind: 'pkcs1' | 'pss',
  hash: ShaName,
): Promise<CryptoKey | null> {
  if (!isSaneRsa(key)) return null
  const modulus = withoutLeadingZeros(key.modulus)
  const exponent = withoutLeadingZeros(key.exponent)
  const algorithm = { name: kind === 'pkcs1' ? 'RSASSA-PKCS1-v1_5' : 'RSA-PSS', hash: hash.toUpperCase() }
  return imported({ kty: 'RSA', n: base64Url(modulus), e: base64Url(exponent) }, algorithm)
}

/** Whether the key has 2048 to 4096 bits, an odd modulus and a usual exponent. */
export function isSaneRsa({ modulus, exponent }: RsaKey): boolean {
  if (modulus.length > 513 || exponent.length === 0 || exponent.length > 8) return false
  const n = fromBigEndian(modulus)
  const e = fromBigEndian(exponent)
  return n >= 1n << 2047n && n < 1n << 4096n && n % 2n === 1n && e >= 3n && e < 1n << 33n && e % 2n === 1n
}

export async function verifyEcdsa(
  key: CryptoKey,
  curve: NistCurve,
  hash: ShaName,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  const pair = derToPair(signature, coordinateLength[curve])
  return pair !== null && isVerified({ name: 'ECDSA', hash: hash.toUpperCase() }, key, pair, message)
}

/** Null where the point is not on the curve or not in the form used in certificates. */
export async function importEcKey({ curve, point }: EcKey): Promise<CryptoKey | null> {
  const length = coordinateLength[curve]
  if (point.length !== 1 + 2 * length || point[0] !== 4) return null
  const x = base64Url(point.subarray(1, 1 + length))
  const y = base64Url(point.subarray(1 + length))
  const crv = curve.toUpperCase()
  return imported({ kty: 'EC', crv, x, y }, { name: 'ECDSA', namedCurve: crv })
}

export const coordinateLength: Record<NistCurve, number> = { 'p-256': 32, 'p-384': 48 }

/**
 * WebCrypto throws on an invalid key; for us that is a result. Keys are cached, because a centre's key occurs in every
 * response of its services, and importing one costs a third of a verification.
 */
async function imported(
  jwk: JsonWebKey,
  algorithm: RsaHashedImportParams | EcKeyImportParams,
): Promise<CryptoKey | null> {
  const id = JSON.stringify([algorithm, jwk])
  const known = remembered.get(id)
  if (known) return known
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    if (remembered.size >= maxRemembered) remembered.delete(remembered.keys().next().value!)
    remembered.set(id, key)
    return key
  } catch {
    return null
  }
}

export const maxRemembered = 200
const remembered = new Map<string, CryptoKey>()

async function isVerified(
  algorithm: AlgorithmIdentifier | RsaPssParams | EcdsaParams,
  key: CryptoKey,
  signature: Uint8Array,
  message: Uint8Array,
): Promise<boolean> {
  try {
    // copied: WebCrypto takes no view of shared memory
    return await crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(message))
  } catch {
    return false
  }
}

/** Converts SEQUENCE { INTEGER r, INTEGER s } in strict DER into r‖s of fixed length. */
export function derToPair(der: Uint8Array, length: number): Uint8Array | null {
  // both numbers of P-384 fit a short length, so a long one is never DER here
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length > 129) return null
  const r = derInteger(der, 2, length)
  const s = r && derInteger(der, r.end, length)
  if (!r || !s || s.end !== der.length) return null
  const pair = new Uint8Array(2 * length)
  pair.set(r.digits, length - r.digits.length)
  pair.set(s.digits, 2 * length - s.digits.length)
  return pair
}

function derInteger(
  der: Uint8Array,
  at: number,
  maxLength: number,
): { digits: Uint8Array; end: number } | null {
  const size = der[at + 1]
  if (der[at] !== 0x02 || size === undefined || size === 0) return null
  const end = at + 2 + size
  const bytes = der.subarray(at + 2, end)
  if (bytes.length !== size || bytes[0]! >= 0x80) return null
  if (bytes[0] === 0 && size > 1 && bytes[1]! < 0x80) return null
  const digits = withoutLeadingZeros(bytes)
  return digits.length > maxLength ? null : { digits, end }
}

function withoutLeadingZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? new Uint8Array() : bytes.subarray(first)
}

function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
