/**
 * Ed25519 (RFC 8032), used by the transparency log: by WebCrypto, or by BigInt where a browser lacks the curve. That is
 * slow and not constant-time, which does not matter for verification.
 */
import { hash } from './hash.ts'

/** The SubjectPublicKeyInfo of such a key: these bytes, then the key. */
const spkiHead = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00]

export function isEd25519Key(spki: Uint8Array): boolean {
  return spki.length === spkiHead.length + 32 && spkiHead.every((byte, i) => spki[i] === byte)
}

/** The SubjectPublicKeyInfo of a key that is given as its 32 bytes. */
export function ed25519Spki(key: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(...spkiHead, ...key)
}

/** The 32 bytes of a key that is given as its SubjectPublicKeyInfo. */
export function ed25519KeyIn(spki: Uint8Array): Uint8Array {
  return spki.subarray(spkiHead.length)
}

/** False also where the key is of another kind. */
export async function verifyEd25519(
  spki: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (!isEd25519Key(spki) || signature.length !== 64) return false
  let key: CryptoKey
  try {
    key = await crypto.subtle.importKey('spki', new Uint8Array(spki), { name: 'Ed25519' }, false, ['verify'])
  } catch {
    return verifyByNumbers(ed25519KeyIn(spki), message, signature)
  }
  return crypto.subtle.verify({ name: 'Ed25519' }, key, new Uint8Array(signature), new Uint8Array(message))
}

const p = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n
const d = modulo(-121665n * inverse(121666n))
const rootOfMinusOne = power(2n, (p - 1n) / 4n)

/** Extended coordinates: x = X/Z, y = Y/Z, T = XY/Z. */
type Point = { x: bigint; y: bigint; z: bigint; t: bigint }

const zero: Point = { x: 0n, y: 1n, z: 1n, t: 0n }

export function verifyByNumbers(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const [r, a] = [pointOf(signature.subarray(0, 32)), pointOf(key)]
  const s = littleEndian(signature.subarray(32))
  if (!r || !a || s >= order) return false
  const bound = new Uint8Array(64 + message.length)
  bound.set(signature.subarray(0, 32))
  bound.set(key, 32)
  bound.set(message, 64)
  const k = littleEndian(hash('sha-512', bound)) % order
  return isSamePoint(times(base(), s), plus(r, times(a, k)))
}

function base(): Point {
  const encoded = new Uint8Array(32).fill(0x66)
  encoded[0] = 0x58
  return pointOf(encoded)!
}

/** RFC 8032, 5.1.3; null where there is no such point, or its encoding is not canonical. */
function pointOf(encoded: Uint8Array): Point | null {
  const number = littleEndian(encoded)
  const [sign, y] = [number >> 255n, number & (2n ** 255n - 1n)]
  if (y >= p) return null
  const u = modulo(y * y - 1n)
  const v = modulo(d * y * y + 1n)
  let x = modulo(u * power(v, 3n) * power(u * power(v, 7n), (p - 5n) / 8n))
  const square = modulo(v * x * x)
  if (square !== u) {
    if (square !== modulo(-u)) return null
    x = modulo(x * rootOfMinusOne)
  }
  if (x === 0n && sign === 1n) return null
  if ((x & 1n) !== sign) x = p - x
  return { x, y, z: 1n, t: modulo(x * y) }
}

function plus(one: Point, other: Point): Point {
  const a = modulo((one.y - one.x) * (other.y - other.x))
  const b = modulo((one.y + one.x) * (other.y + other.x))
  const c = modulo(2n * one.t * other.t * d)
  const e = modulo(2n * one.z * other.z)
  const [f, g, h, i] = [b - a, e - c, e + c, b + a]
  return { x: modulo(f * g), y: modulo(h * i), z: modulo(g * h), t: modulo(f * i) }
}

function times(point: Point, factor: bigint): Point {
  let sum = zero
  let doubled = point
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = plus(sum, doubled)
    doubled = plus(doubled, doubled)
  }
  return sum
}

function isSamePoint(one: Point, other: Point): boolean {
  return modulo(one.x * other.z - other.x * one.z) === 0n && modulo(one.y * other.z - other.y * one.z) === 0n
}

function modulo(number: bigint): bigint {
  const rest = number % p
  return rest < 0n ? rest + p : rest
}

function power(number: bigint, exponent: bigint): bigint {
  let result = 1n
  let squared = modulo(number)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * squared) % p
    squared = (squared * squared) % p
  }
  return result
}

function inverse(number: bigint): bigint {
  return power(number, p - 2n)
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n)
}
