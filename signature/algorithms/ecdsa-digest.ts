/**
 * ECDSA over a digest, for signatures over the document itself, which WebCrypto would need in memory. Only for public
 * data, so the time it takes may depend on it.
 */
import { fromBigEndian } from './numbers.ts'
import type { NistCurve } from './web-crypto.ts'

type Curve = { p: bigint; b: bigint; q: bigint; x: bigint; y: bigint; bits: number }

/** FIPS 186-4, D.1.2; a is p - 3. */
const curves: Record<NistCurve, Curve> = {
  'p-256': {
    p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    q: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
    y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
    bits: 256,
  },
  'p-384': {
    p: 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffffn,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    q: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    x: 0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
    y: 0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
    bits: 384,
  },
}

/** `point` is 04 ‖ x ‖ y, `pair` is r ‖ s of fixed length. */
export function isEcdsaOfDigest(
  name: NistCurve,
  point: Uint8Array,
  digest: Uint8Array,
  pair: Uint8Array,
): boolean {
  const curve = curves[name]
  const { p, q } = curve
  const length = curve.bits / 8
  if (point.length !== 1 + 2 * length || point[0] !== 4 || pair.length !== 2 * length) return false
  const [x, y] = [fromBigEndian(point.subarray(1, 1 + length)), fromBigEndian(point.subarray(1 + length))]
  const isOnCurve = x < p && y < p && (y * y - (x * x * x - 3n * x + curve.b)) % p === 0n
  const [r, s] = [fromBigEndian(pair.subarray(0, length)), fromBigEndian(pair.subarray(length))]
  if (!isOnCurve || r === 0n || s === 0n || r >= q || s >= q) return false
  // the leftmost bits, where the digest is longer than the order
  const e = fromBigEndian(digest.subarray(0, length))
  const w = power(s, q - 2n, q)
  const sum = combined(curve, (e * w) % q, (r * w) % q, [x, y, 1n])
  const [sumX, , sumZ] = sum
  if (sumZ === 0n) return false
  const inverse = power(sumZ, p - 2n, p)
  return ((sumX * inverse * inverse) % p) % q === r
}

/** Jacobian: x / z², y / z³; z is 0 at infinity. */
type Point = readonly [bigint, bigint, bigint]
const infinity: Point = [1n, 1n, 0n]

/** u·G + v·Q */
function combined(curve: Curve, u: bigint, v: bigint, key: Point): Point {
  const base: Point = [curve.x, curve.y, 1n]
  const both = added(curve, base, key)
  let sum = infinity
  for (let bit = BigInt(curve.bits - 1); bit >= 0n; bit--) {
    sum = doubled(curve, sum)
    const [inU, inV] = [(u >> bit) & 1n, (v >> bit) & 1n]
    if (inU && inV) sum = added(curve, sum, both)
    else if (inU) sum = added(curve, sum, base)
    else if (inV) sum = added(curve, sum, key)
  }
  return sum
}

function doubled({ p }: Curve, [x, y, z]: Point): Point {
  if (z === 0n || y === 0n) return infinity
  const mod = (value: bigint) => ((value % p) + p) % p
  const zz = mod(z * z)
  const yy = mod(y * y)
  const m = mod(3n * (x - zz) * (x + zz))
  const t = mod(4n * x * yy)
  const nextX = mod(m * m - 2n * t)
  return [nextX, mod(m * (t - nextX) - 8n * yy * yy), mod(2n * y * z)]
}

function added(curve: Curve, one: Point, other: Point): Point {
  const { p } = curve
  const [x1, y1, z1] = one
  const [x2, y2, z2] = other
  if (z1 === 0n) return other
  if (z2 === 0n) return one
  const mod = (value: bigint) => ((value % p) + p) % p
  const [zz1, zz2] = [mod(z1 * z1), mod(z2 * z2)]
  const [u1, u2] = [mod(x1 * zz2), mod(x2 * zz1)]
  const [s1, s2] = [mod(y1 * zz2 * z2), mod(y2 * zz1 * z1)]
  if (u1 === u2) return s1 === s2 ? doubled(curve, one) : infinity
  const h = mod(u2 - u1)
  const r = mod(s2 - s1)
  const hh = mod(h * h)
  const hhh = mod(h * hh)
  const x = mod(r * r - hhh - 2n * u1 * hh)
  return [x, mod(r * (u1 * hh - x) - s1 * hhh), mod(h * z1 * z2)]
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
