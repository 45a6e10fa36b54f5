/**
 * Signs with GOST 34.10. For tests and stand-ins only: its running time depends on the key, which a real signer must
 * avoid.
 */
import { curves, type CurveName } from '../algorithms/curves.ts'
import { hashToNumber, type GostWire } from '../algorithms/gost.ts'
import type { Point } from '../algorithms/group.ts'
import { groupOf } from '../algorithms/groups.ts'
import { toLittleEndian } from '../algorithms/numbers.ts'

export function publicPoint(name: CurveName, privateKey: bigint): Point {
  const group = groupOf(name)
  group.multiply(privateKey, 0n, group.curve)
  return group.result()
}

/** x‖y, little-endian. */
export function encodePoint(name: CurveName, { x, y }: Point): Uint8Array<ArrayBuffer> {
  const length = curves[name].bits / 8
  const bytes = new Uint8Array(2 * length)
  bytes.set(toLittleEndian(x, length))
  bytes.set(toLittleEndian(y, length), length)
  return bytes
}

/** The nonce, between 1 and q - 1, must be new and unpredictable for every signature; null where it is unsuitable. */
export function signGost(
  name: CurveName,
  privateKey: bigint,
  digest: Uint8Array,
  nonce: bigint,
  wire: GostWire,
): Uint8Array<ArrayBuffer> | null {
  const { q } = curves[name]
  const e = hashToNumber(curves[name], digest)
  const r = publicPoint(name, nonce).x % q
  const s = (r * privateKey + nonce * e) % q
  if (r === 0n || s === 0n) return null
  return encodeSignature(name, r, s, wire)
}

export function encodeSignature(
  name: CurveName,
  r: bigint,
  s: bigint,
  wire: GostWire,
): Uint8Array<ArrayBuffer> {
  const pair = encodePoint(name, { x: r, y: s })
  // s‖r big-endian is r‖s little-endian read backwards
  return wire === 'kz' ? pair : pair.toReversed()
}
