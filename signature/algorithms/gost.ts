/**
 * Verification of GOST 34.10-2012 / 34.10-2015 and of its predecessors (34.10-2001, 34.310-2004): the same mathematics.
 */
import { curves, type Curve, type CurveName } from './curves.ts'
import type { Group, Point } from './group.ts'
import { groupOf } from './groups.ts'
import { fromBigEndian, fromLittleEndian, inverse, modulo } from './numbers.ts'

/** kz: r‖s, little-endian, as in Kazakhstan. ru: s‖r, big-endian, as in RFC 4491 and RFC 9215. */
export type GostWire = 'kz' | 'ru'

/** x‖y, little-endian, under both kinds of object identifiers. */
export type GostKey = { curve: CurveName; point: Uint8Array }

export function verifyGost(
  key: Point,
  curve: CurveName,
  digest: Uint8Array,
  signature: Uint8Array,
  wire: GostWire,
): boolean {
  const pair = decodeSignature(curves[curve], signature, wire)
  return pair !== null && verifyPair(groupOf(curve), key, hashToNumber(curves[curve], digest), pair)
}

/** The point of a key, or null where the key is invalid. */
export function decodeKey({ curve: name, point }: GostKey): Point | null {
  const curve = curves[name]
  const length = curve.bits / 8
  if (point.length !== 2 * length) return null
  const key = {
    x: fromLittleEndian(point.subarray(0, length)),
    y: fromLittleEndian(point.subarray(length)),
  }
  return isSound(curve, key) ? key : null
}

/**
 * Whether the coordinates are below p, and the point is on the curve and not one of the few points of small order.
 */
export function isSound(curve: Curve, { x, y }: Point): boolean {
  const { p, a, b } = curve
  if (x < 0n || x >= p || y < 0n || y >= p) return false
  if ((y * y - ((x * x + a) * x + b)) % p !== 0n) return false
  return !isOfSmallOrder(curve, { x, y })
}

/** Order 2 where y = 0; order 4 where the doubled point has y = 0 (in Jacobian coordinates, to save the division). */
function isOfSmallOrder({ p, a, cofactor }: Curve, { x, y }: Point): boolean {
  if (y === 0n) return true
  if (cofactor === 1) return false
  const ySquared = (y * y) % p
  const beta = (x * ySquared) % p
  const slope = (3n * x * x + a) % p
  const doubledX = slope * slope - 8n * beta
  return (slope * (4n * beta - doubledX) - 8n * ySquared * ySquared) % p === 0n
}

export type SignaturePair = { r: bigint; s: bigint }

/** Null where the length is not exactly two numbers of the curve. */
export function decodeSignature(curve: Curve, bytes: Uint8Array, wire: GostWire): SignaturePair | null {
  const length = curve.bits / 8
  if (bytes.length !== 2 * length) return null
  const [first, second] = [bytes.subarray(0, length), bytes.subarray(length)]
  return wire === 'kz'
    ? { r: fromLittleEndian(first), s: fromLittleEndian(second) }
    : { r: fromBigEndian(second), s: fromBigEndian(first) }
}

/** The number e of the standard: the digest's bytes are the number, least significant first; 0 becomes 1. */
export function hashToNumber({ q }: Curve, digest: Uint8Array): bigint {
  return fromLittleEndian(digest) % q || 1n
}

/** Requires a sound key and an e between 1 and q - 1. */
export function verifyPair(group: Group, key: Point, e: bigint, { r, s }: SignaturePair): boolean {
  const { p, q } = group.curve
  if (r <= 0n || r >= q || s <= 0n || s >= q) return false
  const v = group.invert(e)
  const u1 = (s * v) % q
  const u2 = ((q - r) * v) % q
  if (!group.multiply(u1, u2, key)) return verifyBlinded(group, key, u1, u2, r)
  // r is x modulo q, and where q is smaller than p there are several such x
  for (let x = r; x < p; x += q) if (group.hasX(x)) return true
  return false
}

/**
 * For the case that the fast additions met equal or opposite points, or the sum is zero: (u1 + t)·G + u2·Q and t·G are
 * computed separately and subtracted by the complete formula. A signer can arrange one such case, but not several for
 * values t that do not depend on them, and would only have their own signature refused. It takes three times the usual
 * time, at most eight times over.
 */
function verifyBlinded(group: Group, key: Point, u1: bigint, u2: bigint, r: bigint): boolean {
  const { p, q } = group.curve
  for (let attempt = 1n; attempt <= 8n; attempt++) {
    const t = ((q / 7n) * attempt + 0x9e3779b97f4a7c15n * attempt) % q
    if (!group.multiply((u1 + t) % q, u2, key)) continue
    const sum = group.result()
    if (!group.multiply(t, 0n, key)) continue
    const blinding = group.result()
    const x = xOfSum(group.curve, sum, { x: blinding.x, y: modulo(-blinding.y, p) })
    return x !== null && x % q === r
  }
  return false
}

/** The complete addition of two points; null where the sum is zero. */
function xOfSum({ p, a }: Curve, one: Point, other: Point): bigint | null {
  const isSameX = one.x === other.x
  if (isSameX && (one.y + other.y) % p === 0n) return null
  const slope = isSameX
    ? (3n * one.x * one.x + a) * inverse(2n * one.y, p)
    : (other.y - one.y) * inverse(other.x - one.x, p)
  return modulo(slope * slope - one.x - other.x, p)
}
