/**
 * The group of a curve on a WebAssembly build of its field: u·G + v·Q and inverses modulo q.
 *
 *   fma         f64x2 with fused multiply-add; special primes; where relaxed SIMD is available and fuses
 *   integer     i32x4 into 64-bit columns; special primes; everywhere (SIMD is in every browser since 2023)
 *   montgomery  64-bit words; any prime; everywhere
 *
 * An instance belongs to one curve and keeps its table of odd multiples of G.
 */
import type { Curve } from './curves.ts'
import { inverse, modulo } from './numbers.ts'

export type Point = { x: bigint; y: bigint }

export type Group = {
  curve: Curve
  /** 1/number modulo q. */
  invert: (number: bigint) => bigint
  /** Computes u·G + v·Q and keeps it; false where it is zero or where an addition met equal or opposite points. */
  multiply: (u: bigint, v: bigint, point: Point) => boolean
  /** Whether x is the x-coordinate of the result. */
  hasX: (x: bigint) => boolean
  result: () => Point
}

type Exports = {
  memory: WebAssembly.Memory
  slots: WebAssembly.Global<'i32'>
  slotSize: WebAssembly.Global<'i32'>
  limbs: WebAssembly.Global<'i32'>
  limbCount: WebAssembly.Global<'i32'>
  limbWidth: WebAssembly.Global<'i32'>
  baseCount: WebAssembly.Global<'i32'>
  setUp: (constant: number, aIsMinus3: number) => void
  putBase: (index: number) => void
  multiply: () => number
  compareX: () => void
  show: (coordinate: number) => void
  invert: () => void
}

const [X, Y, Z] = [0, 1, 2]

export type FieldKind = 'special' | 'montgomery'

/** Throws where the build computes wrongly on this machine. */
export function createGroup(curve: Curve, module: WebAssembly.Module, kind: FieldKind): Group {
  const exports = new WebAssembly.Instance(module).exports as Exports
  const { p, a, q } = curve
  const words = new BigUint64Array(exports.memory.buffer)
  const signedWords = new BigInt64Array(exports.memory.buffer)
  const wordCount = curve.bits / 64
  const firstSlot = exports.slots.value / 8
  const wordsOfSlot = exports.slotSize.value / 8
  const firstLimb = exports.limbs.value / 8
  const limbCount = exports.limbCount.value
  const limbWidth = BigInt(exports.limbWidth.value)
  const factor = 1n << (BigInt(limbCount) * limbWidth)

  /** A word of the array takes the lowest 64 bits of the value. */
  function put(slot: number, number: bigint): void {
    const start = firstSlot + slot * wordsOfSlot
    for (let i = 0, rest = number; i < wordCount; i++, rest >>= 64n) words[start + i] = rest
  }

  function take(slot: number): bigint {
    const start = firstSlot + slot * wordsOfSlot
    let number = 0n
    for (let i = wordCount - 1; i >= 0; i--) number = (number << 64n) | words[start + i]!
    return number
  }

  /** The number that the limbs represent: not reduced modulo p, and still multiplied by the field's factor. */
  function shown(): bigint {
    let number = 0n
    for (let i = limbCount - 1; i >= 0; i--) number = (number << limbWidth) + signedWords[firstLimb + i]!
    return number
  }

  const group: Group = {
    curve,
    invert(number) {
      put(0, number)
      put(1, q)
      exports.invert()
      return take(0)
    },
    multiply(u, v, point) {
      put(0, point.x)
      put(1, point.y)
      put(2, u)
      put(3, v)
      if (exports.multiply() === 0) return false
      exports.show(Z)
      return shown() % p !== 0n
    },
    hasX(x) {
      put(0, x)
      exports.compareX()
      return shown() % p === 0n
    },
    result: () => toAffine([jacobian()])[0]!,
  }

  function jacobian(): [bigint, bigint, bigint] {
    const [x, y, z] = [X, Y, Z].map((coordinate) => {
      exports.show(coordinate)
      return shown() * unscaled
    })
    return [x!, y!, z!]
  }

  /** One inversion for all of them: it costs as much as hundreds of products. */
  function toAffine(points: [bigint, bigint, bigint][]): Point[] {
    const products = [1n]
    for (const [, , z] of points) products.push(modulo(products.at(-1)! * z, p))
    let rest = inverse(products.pop()!, p)
    return points
      .toReversed()
      .map(([x, y, z]) => {
        const inverseZ = modulo(rest * products.pop()!, p)
        rest = modulo(rest * z, p)
        const squared = modulo(inverseZ * inverseZ, p)
        return { x: modulo(x * squared, p), y: modulo(y * squared * inverseZ, p) }
      })
      .toReversed()
  }

  function setUp(): void {
    put(0, a)
    put(1, p)
    put(2, modulo(factor * factor, p))
    exports.setUp(
      Number(kind === 'special' ? nearestToZero(factor, p) : montgomeryConstant()),
      aIsMinus3 ? 1 : 0,
    )
  }

  function montgomeryConstant(): bigint {
    const limb = 1n << limbWidth
    return limb - inverse(p, limb)
  }

  function fillBaseTable(): void {
    const base = { x: curve.x, y: curve.y }
    const multiples = Array.from({ length: exports.baseCount.value }, (_, i) => {
      group.multiply(0n, BigInt(2 * i + 1), base)
      return jacobian()
    })
    toAffine(multiples).forEach((point, i) => {
      put(0, point.x)
      put(1, point.y)
      exports.putBase(i)
    })
  }

  /**
   * Checks the build with -G, half of it from the table of G and half from the table of a point equal to G: this
   * exercises every formula.
   */
  function isRight(): boolean {
    const u = q / 3n
    const isPoint = group.multiply(u, q - 1n - u, { x: curve.x, y: curve.y })
    if (!isPoint || !group.hasX(curve.x) || group.hasX(curve.x + 1n)) return false
    return group.result().y === p - curve.y && modulo(group.invert(u) * u, q) === 1n
  }

  const aIsMinus3 = a === p - 3n
  const unscaled = kind === 'montgomery' ? inverse(factor, p) : 1n
  setUp()
  fillBaseTable()
  if (!isRight()) throw new Error('This build does not compute rightly here')
  return group
}

function nearestToZero(number: bigint, m: bigint): bigint {
  const rest = modulo(number, m)
  return rest > m / 2n ? rest - m : rest
}
