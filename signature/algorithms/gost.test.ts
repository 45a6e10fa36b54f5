import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodePoint, encodeSignature, publicPoint, signGost } from '../signer/gost.ts'
import { negative, pointNear, times, verifyModel } from '../testing/model.ts'
import { curveNames, curves, type Curve, type CurveName } from './curves.ts'
import { decodeKey, decodeSignature, hashToNumber, isSound, verifyGost, verifyPair } from './gost.ts'
import type { Point } from './group.ts'
import { createGroupOn, groupOf } from './groups.ts'
import { hash } from './hash.ts'
import { fromBigEndian } from './numbers.ts'
import { curveOids } from './oids.ts'

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))

describe('signatures of other software', () => {
  const file = join(import.meta.dirname, '..', 'fixtures', 'gost', 'signatures.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    cases: { curve: CurveName; point: string; digest: string; signature: string }[]
  }

  test.each(curveNames)('by OpenSSL on %s are valid', (name) => {
    const mine = cases.filter((c) => c.curve === name)
    expect(mine.length).toBeGreaterThanOrEqual(4)
    for (const { point, digest, signature } of mine) {
      const key = decodeKey({ curve: name, point: bytes(point) })!
      const verdict = (d: string, s: string) => verifyGost(key, name, bytes(d), bytes(s), 'ru')
      expect(verdict(digest, signature)).toBe(true)
      const pair = decodeSignature(curves[name], bytes(signature), 'ru')!
      expect(verifyGost(key, name, bytes(digest), encodeSignature(name, pair.r, pair.s, 'kz'), 'kz')).toBe(
        true,
      )
      expect(verifyGost(key, name, bytes(digest), bytes(signature), 'kz')).toBe(false)
      expect(verdict(flipped(digest), signature)).toBe(false)
      expect(verdict(digest, flipped(signature))).toBe(false)
    }
  })

  const flipped = (text: string) => text.slice(0, -1) + (Number.parseInt(text.slice(-1), 16) ^ 1).toString(16)

  test('by OpenSSL are valid by the model too, one of each curve', { timeout: 60_000 }, () => {
    for (const name of curveNames) {
      const { point, digest, signature } = cases.find((c) => c.curve === name)!
      const key = decodeKey({ curve: name, point: bytes(point) })!
      const pair = decodeSignature(curves[name], bytes(signature), 'ru')!
      const e = hashToNumber(curves[name], bytes(digest))
      expect(verifyModel(curves[name], key, e, pair)).toBe(true)
    }
  })

  const national = join(import.meta.dirname, '..', '..', '..', 'shared', 'vectors', 'kz', 'vectors.json')

  test.skipIf(!existsSync(national))("the national centre's own library", () => {
    type Case = Record<'curve' | 'qx' | 'qy' | 'digestHex' | 'signatureHex', string>
    const { sign } = JSON.parse(readFileSync(national, 'utf8')) as { sign: Case[] }
    for (const { curve, qx, qy, digestHex, signatureHex } of sign) {
      const name = curveOids[curve]!
      const key = { x: BigInt(`0x${qx}`), y: BigInt(`0x${qy}`) }
      expect(isSound(curves[name], key)).toBe(true)
      expect(verifyGost(key, name, bytes(digestHex), bytes(signatureHex), 'kz')).toBe(true)
    }
    expect(sign.length).toBeGreaterThan(0)
  })
})

test('the example of RFC 7091, 7.1, is valid on every build of its size', () => {
  const example: Curve = {
    bits: 256,
    p: 0x8000000000000000000000000000000000000000000000000000000000000431n,
    a: 7n,
    b: 0x5fbff498aa938ce739b8e022fbafef40563f6e6a3472fc2a514c0ce9dae23b7en,
    q: 0x8000000000000000000000000000000150fe8a1892976154c59cfc193accf5b3n,
    cofactor: 1,
    x: 2n,
    y: 0x8e2a8a0e65147d4bd6316030e16d19c85c97f0a9ca267122b96abbcea7e8fc8n,
  }
  const key: Point = {
    x: 0x7f2b49e270db6d90d8595bec458b50c58585ba1d4e9b788f6689dbd8e56fd80bn,
    y: 0x26f1b489d6701dd185c8413a977b3cbbaf64d1c593d26627dffb101a87ff77dan,
  }
  const e = 0x2dfbc1b372d89a1188c09c52e0eec61fce52032ab1022e8e67ece6672b043ee5n
  const r = 0x41aa28d2f1ab148280cd9ed56feda41974053554a42767b83ad043fd39dc0493n
  const s = 0x1456c64ba4642a1653c235a98a60249bcd6d3f746b631df928014f6c5bf9c40n
  expect(isSound(example, key)).toBe(true)
  expect(verifyModel(example, key, e, { r, s })).toBe(true)
  for (const backend of ['fma', 'integer', 'montgomery'] as const) {
    const group = createGroupOn(backend, example)
    expect(verifyPair(group, key, e, { r, s })).toBe(true)
    expect(verifyPair(group, key, e, { r, s: s + 1n })).toBe(false)
    expect(verifyPair(group, key, e + 1n, { r, s })).toBe(false)
  }
})

describe.each(curveNames)('%s', (name) => {
  const curve = curves[name]
  const length = curve.bits / 8
  const scalar = fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((random) => (fromBigEndian(random) % (curve.q - 1n)) + 1n)
  const digest = fc.uint8Array({ minLength: length, maxLength: length })
  const wire = fc.constantFrom('kz' as const, 'ru' as const)

  test('a signature is valid; with any bit flipped, or with another key, it is not', () => {
    const bit = fc.nat({ max: 16 * length - 1 })
    fc.assert(
      fc.property(scalar, scalar, digest, wire, bit, (secret, nonce, digest, wire, bit) => {
        const key = publicPoint(name, secret)
        const signature = signGost(name, secret, digest, nonce, wire)
        fc.pre(signature !== null)
        expect(verifyGost(key, name, digest, signature, wire)).toBe(true)
        expect(verifyGost(key, name, digest, withFlipped(signature, bit), wire)).toBe(false)
        expect(verifyGost(key, name, withFlipped(digest, bit >> 1), signature, wire)).toBe(false)
        expect(verifyGost(negative(curve, key), name, digest, signature, wire)).toBe(false)
      }),
      { numRuns: curve.bits === 256 ? 60 : 25 },
    )
  })

  test('every single bit of one signature counts', () => {
    const key = publicPoint(name, 12345n)
    const digest = hash(curve.bits === 256 ? 'streebog-256' : 'streebog-512', new Uint8Array(3))
    const signature = signGost(name, 12345n, digest, 67890n, 'kz')!
    const wrong = Array.from({ length: 16 * length }, (_, bit) => withFlipped(signature, bit))
    expect(wrong.filter((s) => verifyGost(key, name, digest, s, 'kz'))).toEqual([])
  })

  test('r and s must lie between 1 and q - 1', () => {
    const key = publicPoint(name, 5n)
    const digest = new Uint8Array(length).fill(7)
    const e = hashToNumber(curve, digest)
    const { r, s } = decodeSignature(curve, signGost(name, 5n, digest, 9n, 'kz')!, 'kz')!
    const group = groupOf(name)
    expect(verifyPair(group, key, e, { r, s })).toBe(true)
    const outside = [0n, curve.q, curve.q + 1n, curve.p, r + curve.q, (1n << BigInt(curve.bits)) - 1n]
    for (const wrong of outside) expect(verifyPair(group, key, e, { r: wrong, s })).toBe(false)
    for (const wrong of [0n, curve.q, s + curve.q])
      expect(verifyPair(group, key, e, { r, s: wrong })).toBe(false)
  })

  test('a digest of zero counts as one', () => {
    const zero = new Uint8Array(length)
    const one = Uint8Array.from({ length }, (_, i) => (i === 0 ? 1 : 0))
    const signature = signGost(name, 77n, zero, 88n, 'kz')!
    expect(verifyGost(publicPoint(name, 77n), name, one, signature, 'kz')).toBe(true)
  })

  test('points that cannot be keys are refused', () => {
    const { x, y } = publicPoint(name, 42n)
    const accepts = (point: Point) => decodeKey({ curve: name, point: encodePoint(name, point) }) !== null
    expect(accepts({ x, y })).toBe(true)
    expect(accepts({ x, y: y ^ 1n })).toBe(false)
    expect(accepts({ x: 0n, y: 0n })).toBe(false)
    // the same point with a coordinate above p, where the bytes have room for it
    expect(accepts({ x: curve.x + curve.p, y: curve.y })).toBe(false)
    const encoded = encodePoint(name, { x, y })
    expect(decodeKey({ curve: name, point: encoded.subarray(1) })).toBeNull()
    expect(decodeKey({ curve: name, point: new Uint8Array([4, ...encoded]) })).toBeNull()
    expect(decodeKey({ curve: name, point: new Uint8Array() })).toBeNull()
  })

  test('garbage is refused without an exception', () => {
    const key = publicPoint(name, 42n)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 140 }), digest, wire, (garbage, digest, wire) => {
        expect(decodeKey({ curve: name, point: garbage })).toBeNull()
        expect(verifyGost(key, name, digest, garbage, wire)).toBe(false)
        expect(decodeKey({ curve: name, point: Uint8Array.from([...digest, ...digest]) })).toBeNull()
        expect(verifyGost(key, name, digest, Uint8Array.from([...digest, ...digest]), wire)).toBe(false)
      }),
      { numRuns: 30 },
    )
  })
})

test.each(['tc26-256-a', 'tc26-512-c'] as const)(
  'points of order 2 and 4 of %s are not accepted as keys',
  { timeout: 60_000 },
  (name) => {
    const curve = curves[name]
    const small = smallOrderPoints(curve)
    expect(small.map((point) => times(curve, 4n, point))).toEqual(small.map(() => null))
    expect(small.some((point) => times(curve, 2n, point) !== null)).toBe(true)
    expect(small.some((point) => times(curve, 2n, point) === null)).toBe(true)
    for (const point of small) {
      expect(decodeKey({ curve: name, point: encodePoint(name, point) })).toBeNull()
      // even if such a key got through, the arithmetic would stay correct
      expect(verifyPair(groupOf(name), point, 3n, { r: 5n, s: 7n })).toBe(
        verifyModel(curve, point, 3n, { r: 5n, s: 7n }),
      )
    }
  },
)

/** q times any point of the whole curve has order 1, 2 or 4. */
function smallOrderPoints(curve: Curve): Point[] {
  const found: Point[] = []
  for (let start = 1n; found.length < 6 && start < 400n; start += 20n) {
    const point = times(curve, curve.q, pointNear(curve, start))
    if (!point) continue
    found.push(point)
    const doubled = times(curve, 2n, point)
    if (doubled) found.push(doubled)
  }
  return found
}

function withFlipped(bytes: Uint8Array, bit: number): Uint8Array {
  const at = bit >> 3
  return bytes.map((byte, i) => (i === at ? byte ^ (1 << (bit & 7)) : byte))
}
