/**
 * Every build of the arithmetic against the BigInt model and, through it, against each other. A build with one wrong
 * carry passes every ordinary signature and fails one point in a hundred: only thousands of numbers reveal it.
 */
import { weierstrass } from '@noble/curves/abstract/weierstrass.js'
import { describe, expect, test } from 'vitest'
import { add, negative, pointNear, times, type ModelPoint } from '../testing/model.ts'
import { curveNames, curves, type Curve } from './curves.ts'
import { verifyPair } from './gost.ts'
import type { Group, Point } from './group.ts'
import { backendsOf, createGroupOn, groupOf, hasFusedMultiplyAdd, type Backend } from './groups.ts'
import { hash } from './hash.ts'
import { fromLittleEndian, inverse, modulo } from './numbers.ts'

const comparisons: Record<Backend, number> = { fma: 0, integer: 0, montgomery: 0 }

describe.each(curveNames)('%s', (name) => {
  const curve = curves[name]
  const { q, p } = curve
  const base: Point = { x: curve.x, y: curve.y }
  // the third build supports any prime of 256 bits, so it is tested on all of them
  const backends = new Set<Backend>([
    ...backendsOf(name),
    ...(curve.bits === 256 ? ['montgomery' as const] : []),
  ])
  const groups = [...backends]
    .filter((backend) => backend !== 'fma' || hasFusedMultiplyAdd())
    .map((backend) => ({ backend, group: createGroupOn(backend, curve) }))
  const random = (label: string) =>
    fromLittleEndian(hash('sha-512', new TextEncoder().encode(`${name} ${label}`))) % q

  test('agrees with the model on random multiples', { timeout: 60_000 }, () => {
    const key = times(curve, random('key'), base)!
    const [u, v, stepU, stepV] = [random('u'), random('v'), random('step u'), random('step v')]
    const sum = (a: bigint, b: bigint) => add(curve, times(curve, a, base), times(curve, b, key))
    // one addition of the model per comparison, while all digits of both scalars change
    const step = sum(stepU, stepV)
    let expected = sum(u, v)
    const count = curve.bits === 256 ? 1800 : 250
    for (let i = 0n; i < count; i++) {
      const scalars: [bigint, bigint] = [(u + i * stepU) % q, (v + i * stepV) % q]
      for (const { backend, group } of groups) {
        expect(group.multiply(...scalars, key)).toBe(true)
        expect(group.hasX(expected!.x), `${backend} ${i}`).toBe(true)
        if (i % 50n === 0n) expect(group.result()).toEqual(expected)
        comparisons[backend]++
      }
      expected = add(curve, expected, step)
    }
  })

  /** Scalars and keys at the edges; multiples of G near 0 are known without multiplying. */
  const near = [0n, 1n, 2n, 3n, 15n, 16n, 17n, 40n]
  const multiples: Point[] = []
  for (let i = 0, sum: ModelPoint = base; i < 700; i++, sum = add(curve, sum, base)) multiples.push(sum!)
  function smallMultiple(number: bigint): ModelPoint {
    const k = modulo(number, q)
    if (k === 0n) return null
    return k <= q / 2n ? multiples[Number(k) - 1]! : negative(curve, multiples[Number(q - k) - 1]!)
  }

  test(
    'agrees with the model at the edges, where additions meet equal and opposite points',
    { timeout: 60_000 },
    () => {
      const scalars = [...near, ...near.filter((n) => n > 0n).map((n) => q - n)]
      for (const d of curve.bits === 256 ? [1n, 16n, q - 1n, q - 15n] : [1n, q - 2n]) {
        const key = smallMultiple(d)!
        for (const u of scalars) {
          for (const v of scalars) {
            const expected = smallMultiple(u + v * d)
            for (const { backend, group } of groups) {
              comparisons[backend]++
              checkEdge(group, key, u, v, expected)
            }
          }
        }
      }
    },
  )

  /**
   * Where the fast path gives up, verification must still be right: checked with the signature that leads to exactly
   * these scalars.
   */
  function checkEdge(group: Group, key: Point, u: bigint, v: bigint, expected: ModelPoint): void {
    const isComputed = group.multiply(u, v, key)
    if (isComputed)
      expect(expected !== null && group.hasX(expected.x) && !group.hasX(expected.x ^ 1n)).toBe(true)
    if (u === 0n || v === 0n || (isComputed && u % 5n !== 0n)) return
    const r = expected === null ? 5n : expected.x % q
    if (r === 0n) return
    const e = inverse(q - modulo(v * inverse(r, q), q), q)
    expect(verifyPair(group, key, e, { r, s: modulo(u * e, q) })).toBe(expected !== null)
    expect(verifyPair(group, key, e, { r: (r % (q - 1n)) + 1n, s: modulo(u * e, q) })).toBe(false)
  }

  test('inverts scalars', () => {
    const numbers = [1n, 2n, 3n, q - 1n, q - 2n, q >> 1n, (q >> 1n) + 1n, 1n << 30n, (1n << 240n) - 1n, p % q]
    for (let i = 0; i < 200; i++) numbers.push(random(`inverse ${i}`))
    for (const { group } of groups) {
      for (const number of numbers) expect(group.invert(number)).toBe(inverse(number, q))
    }
  })

  test('agrees with another implementation', () => {
    const other = weierstrass({
      p,
      a: curve.a,
      b: curve.b,
      n: q,
      h: BigInt(curve.cofactor),
      Gx: curve.x,
      Gy: curve.y,
    })
    for (let i = 0; i < 3; i++) {
      const [d, u, v] = [random(`d ${i}`), random(`u ${i}`), random(`v ${i}`)]
      const key = other.BASE.multiply(d)
      const sum = other.BASE.multiply(u).add(key.multiply(v)).toAffine()
      for (const { group } of groups) {
        expect(group.multiply(u, v, key.toAffine())).toBe(true)
        expect(group.result()).toEqual(sum)
      }
    }
  })

  test('computes correctly with a key outside the group of G', { timeout: 60_000 }, () => {
    if (curve.cofactor === 1) return
    const key = pointNear(curve, 1000n)
    for (const e of [q - 1n, random('e')]) {
      const pair = { r: random('r'), s: random('s') }
      const expected = add(
        curve,
        times(curve, (pair.s * inverse(e, q)) % q, base),
        times(curve, modulo(-pair.r * inverse(e, q), q), key),
      )!
      for (const { group } of groups) {
        expect(verifyPair(group, key, e, pair)).toBe(expected.x % q === pair.r)
        expect(group.hasX(expected.x)).toBe(true)
      }
    }
  })
})

test('each build was compared with the model ten thousand times', () => {
  for (const [backend, count] of Object.entries(comparisons)) {
    if (backend !== 'fma' || hasFusedMultiplyAdd()) expect(count, backend).toBeGreaterThanOrEqual(10_000)
  }
})

test('the fastest build that works here is used', () => {
  expect(groupOf('tc26-512-a').curve).toBe(curves['tc26-512-a'])
  expect(groupOf('tc26-512-a')).toBe(groupOf('tc26-512-a'))
})

test('a build that computes wrongly is not used', () => {
  const wrongCurve: Curve = { ...curves['cryptopro-a'], y: curves['cryptopro-a'].y + 1n }
  expect(() => createGroupOn('fma', wrongCurve)).toThrow('does not compute rightly')
  expect(() => createGroupOn('integer', curves['cryptopro-c'])).toThrow('does not compute rightly')
})
