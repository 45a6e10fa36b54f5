/**
 * Writes the AssemblyScript of a prime field on pairs of doubles with fused multiply-add: two products side by side in
 * the lanes of f64x2. An element is `limbs` doubles of `width` bits, balanced around 0; 2^(limbs·width) = K modulo p with
 * a small K.
 *
 * A product of two limbs has up to 2·width bits; fused multiply-add splits it without loss:
 *
 *   high = fma(a, b, C1)          C1 = 3·2^(width+51): one unit of the last place is 2^width, so the bits of `high` are
 *                                 those of C1 plus ⌊ab / 2^width⌉ as an integer
 *   low  = fma(a, b, C2 - high)   C2 = C1 + 3·2^51: the bits are those of 3·2^51 plus what is left, again an integer
 *
 * So the bit patterns themselves are added up as 64-bit integers, column by column, and what the constants add up to is
 * known beforehand and is taken off in the initial value of each column.
 */
export function fmaField(bits: number, limbs: number, width: number): string {
  const constants = createConstants()
  const shape: Shape = { limbs, width, constants, ...namedConstants(width, constants) }
  const products = [
    product(shape, 'mul', { isSquare: false, hasAddend: false }),
    product(shape, 'mulAdd', { isSquare: false, hasAddend: true }),
    product(shape, 'sqr', { isSquare: true, hasAddend: false }),
    product(shape, 'sqrAdd', { isSquare: true, hasAddend: true }),
  ]
  return [
    `const FIELD_BITS: i32 = ${bits};`,
    `const LIMB_COUNT: i32 = ${limbs};`,
    `const LIMB_WIDTH: i32 = ${width};`,
    constants.text(),
    '/** K in both lanes. */',
    'const FOLD: usize = memory.data(16, 16);',
    ...products,
  ].join('\n')
}

type Shape = {
  limbs: number
  width: number
  constants: Constants
  /** How each constant is read. */
  c1: string
  c2: string
  c3: string
  mask: string
  /** Turns a masked column, with the carry of the one before, into the bits of 3·2^51 plus the limb. */
  withCarry: string
  withoutCarry: string
  topWithCarry: string
  carryBits: string
  carryOffset: string
}
type ProductKind = { isSquare: boolean; hasAddend: boolean }

/** Columns stay within ±2^59; adding this many units of 2^width makes them positive. */
const bias = (width: number) => 1n << BigInt(60 - width)
const half = (width: number) => 1n << BigInt(width - 1)
const lowBits = bitsOf(3 * 2 ** 51)
const highBits = (width: number) => bitsOf(3 * 2 ** (width + 51))

function namedConstants(width: number, { add, addDouble }: Constants) {
  const c1 = 3 * 2 ** (width + 51)
  return {
    c1: addDouble(c1),
    c2: addDouble(c1 + 3 * 2 ** 51),
    c3: addDouble(3 * 2 ** 51),
    mask: add((1n << BigInt(width)) - 1n),
    withCarry: add(lowBits - half(width) - bias(width)),
    withoutCarry: add(lowBits - half(width)),
    topWithCarry: add(lowBits - bias(width)),
    carryBits: addDouble(2 ** 52),
    carryOffset: addDouble(2 ** 52 + Number(bias(width))),
  }
}

function product(shape: Shape, name: string, kind: ProductKind): string {
  const parameters = ['to', 'a', ...(kind.isSquare ? [] : ['b']), ...(kind.hasAddend ? ['addend'] : [])]
  return [
    `function ${name}(${parameters.map((p) => `${p}: usize`).join(', ')}): void {`,
    ...operands(shape, kind),
    ...columns(shape, kind),
    ...foldedUpperHalf(shape),
    ...lowerHalf(shape),
    '}',
  ].join('\n')
}

function operands({ limbs, c1, c2 }: Shape, { isSquare }: ProductKind): string[] {
  return [
    `const c1: v128 = ${c1}, c2: v128 = ${c2};`,
    'let high: v128;',
    ...range(limbs).flatMap((i) => [
      `const a${i}: v128 = v128.load(a, ${16 * i});`,
      `const b${i}: v128 = ${isSquare ? `f64x2.add(a${i}, a${i})` : `v128.load(b, ${16 * i})`};`,
    ]),
  ]
}

function columns(shape: Shape, kind: ProductKind): string[] {
  const { limbs, c3 } = shape
  const initial = range(2 * limbs).map((k) => {
    const start = shape.constants.add(initialValue(shape, kind, k))
    const hasAddend = kind.hasAddend && k < limbs
    const addend = `f64x2.add(v128.load(addend, ${16 * k}), ${c3})`
    return `let column${k}: v128 = ${hasAddend ? `i64x2.add(${start}, ${addend})` : start};`
  })
  const terms = range(2 * limbs - 1).flatMap((k) =>
    limbPairs(limbs, kind, k).flatMap(([i, j]) => {
      const [x, y] = kind.isSquare && i === j ? [`a${i}`, `a${i}`] : [`b${j}`, `a${i}`]
      return split(x, y, `column${k}`, `column${k + 1}`)
    }),
  )
  return [...initial, ...terms]
}

/** Adds x·y to two columns. */
function split(x: string, y: string, low: string, high: string): string[] {
  return [
    `high = f64x2.relaxed_madd(${x}, ${y}, c1);`,
    `${high} = i64x2.add(${high}, high);`,
    `${low} = i64x2.add(${low}, f64x2.relaxed_madd(${x}, ${y}, f64x2.sub(c2, high)));`,
  ]
}

/** The pairs of limbs of one column; in a square b is twice a, and each pair comes once. */
function limbPairs(limbs: number, { isSquare }: ProductKind, column: number): [number, number][] {
  return range(limbs)
    .map((i): [number, number] => [i, column - i])
    .filter(([i, j]) => j >= 0 && j < limbs && (!isSquare || i <= j))
}

/** Minus the constants that the column will collect, plus the bias that makes it positive and rounds its carry. */
function initialValue({ limbs, width }: Shape, kind: ProductKind, column: number): bigint {
  const isLower = column < limbs
  const lows = limbPairs(limbs, kind, column).length + (isLower ? 1 : 0) + (isLower && kind.hasAddend ? 1 : 0)
  const highs = limbPairs(limbs, kind, column - 1).length + (isLower && column > 0 ? 1 : 0)
  const collected = BigInt(lows) * lowBits + BigInt(highs) * highBits(width)
  const isTop = column === 2 * limbs - 1
  return (isTop ? 0n : (bias(width) << BigInt(width)) + half(width)) - collected
}

/** Each upper column becomes a limb and comes back, times K, into the two columns `limbs` places lower. */
function foldedUpperHalf(shape: Shape): string[] {
  const { limbs, width } = shape
  const top = 2 * limbs - 1
  return [
    `const k: v128 = v128.load(FOLD), mask: v128 = ${shape.mask}, withCarry: v128 = ${shape.withCarry};`,
    `const c3: v128 = ${shape.c3};`,
    'let limb: v128, carry: v128;',
    ...range(limbs).flatMap((i) => {
      const column = `column${i + limbs}`
      if (i + limbs === top) {
        return [
          `limb = f64x2.sub(i64x2.add(i64x2.add(${column}, carry), ${shape.topWithCarry}), c3);`,
          'high = f64x2.relaxed_madd(limb, k, c1);',
          `column${i} = i64x2.add(column${i}, f64x2.relaxed_madd(limb, k, f64x2.sub(c2, high)));`,
          // what would go one column above the lower half is folded once more, by lowerHalf
          `const beyond: v128 = f64x2.sub(high, c1);`,
        ]
      }
      const masked = `v128.and(${column}, mask)`
      const limbBits =
        i === 0
          ? `i64x2.add(${masked}, ${shape.withoutCarry})`
          : `i64x2.add(i64x2.add(${masked}, carry), withCarry)`
      return [
        `limb = f64x2.sub(${limbBits}, c3);`,
        `carry = i64x2.shr_u(${column}, ${width});`,
        ...split('limb', 'k', `column${i}`, `column${i + 1}`),
      ]
    }),
  ]
}

/** One carry from each column to the next, all in parallel; what leaves the last one comes back into the first. */
function lowerHalf(shape: Shape): string[] {
  const { limbs, width } = shape
  const last = `column${limbs - 1}`
  return [
    `const carryBits: v128 = v128.or(i64x2.shr_u(${last}, ${width}), ${shape.carryBits});`,
    `const out: v128 = f64x2.relaxed_madd(beyond, f64x2.splat(${2 ** -width}), f64x2.sub(carryBits, ${shape.carryOffset}));`,
    ...range(limbs).flatMap((i) => {
      const masked = `v128.and(column${i}, mask)`
      const carry = i < limbs - 1 ? [`carry = i64x2.shr_u(column${i}, ${width});`] : []
      if (i === 0) {
        const limb = `f64x2.sub(i64x2.add(${masked}, ${shape.withoutCarry}), c3)`
        return [`v128.store(to, f64x2.relaxed_madd(out, k, ${limb}), 0);`, ...carry]
      }
      const limb = `f64x2.sub(i64x2.add(i64x2.add(${masked}, carry), withCarry), c3)`
      return [`v128.store(to, ${limb}, ${16 * i});`, ...carry]
    }),
  ]
}

type Constants = {
  /** The same 64 bits in both lanes; how they are read. */
  add: (bits: bigint) => string
  addDouble: (value: number) => string
  text: () => string
}

/** Constants lie in memory: a v128 literal would be put together anew each time it is used. */
function createConstants(): Constants {
  const known: bigint[] = []
  const add = (value: bigint) => {
    const wrapped = BigInt.asUintN(64, value)
    if (!known.includes(wrapped)) known.push(wrapped)
    return `v128.load(CONSTANTS, ${16 * known.indexOf(wrapped)})`
  }
  return {
    add,
    addDouble: (value) => add(bitsOf(value)),
    text: () => {
      const words = known.flatMap((bits) => [bits, bits]).map((bits) => `0x${bits.toString(16)}`)
      return `const CONSTANTS: usize = memory.data<u64>([${words.join(', ')}], 16);`
    },
  }
}

function bitsOf(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0]!
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}
