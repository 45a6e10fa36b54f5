/** The group of a curve in plain BigInt, as in the textbook: slow, complete and easy to verify. */
import type { Curve } from '../algorithms/curves.ts'
import type { Point } from '../algorithms/group.ts'
import { inverse, modulo } from '../algorithms/numbers.ts'

/** null is the point at infinity. */
export type ModelPoint = Point | null

export function add({ p, a }: Curve, one: ModelPoint, other: ModelPoint): ModelPoint {
  if (!one) return other
  if (!other) return one
  const isSameX = one.x === other.x
  if (isSameX && modulo(one.y + other.y, p) === 0n) return null
  const slope = isSameX
    ? (3n * one.x * one.x + a) * inverse(2n * one.y, p)
    : (other.y - one.y) * inverse(other.x - one.x, p)
  const x = modulo(slope * slope - one.x - other.x, p)
  return { x, y: modulo(slope * (one.x - x) - one.y, p) }
}

export function times(curve: Curve, scalar: bigint, point: ModelPoint): ModelPoint {
  let sum: ModelPoint = null
  let power = point
  for (let rest = scalar; rest > 0n; rest >>= 1n) {
    if (rest & 1n) sum = add(curve, sum, power)
    power = add(curve, power, power)
  }
  return sum
}

export function negative({ p }: Curve, point: Point): Point {
  return { x: point.x, y: modulo(-point.y, p) }
}

export function verifyModel(
  curve: Curve,
  key: Point,
  e: bigint,
  { r, s }: { r: bigint; s: bigint },
): boolean {
  const { q, x, y } = curve
  if (r <= 0n || r >= q || s <= 0n || s >= q) return false
  const v = inverse(e, q)
  const c = add(curve, times(curve, (s * v) % q, { x, y }), times(curve, modulo(-r * v, q), key))
  return c !== null && c.x % q === r
}

/** A point of the whole curve, not only of the group of G, with the first suitable x at or after the given one. */
export function pointNear({ p, a, b }: Curve, start: bigint): Point {
  for (let x = start; ; x++) {
    const square = modulo(x * x * x + a * x + b, p)
    // both primes of curves with a cofactor are 3 modulo 4
    const y = power(square, (p + 1n) / 4n, p)
    if ((y * y) % p === square) return { x, y }
  }
}

function power(base: bigint, exponent: bigint, m: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % m) {
    if (rest & 1n) result = (result * square) % m
  }
  return result
}
