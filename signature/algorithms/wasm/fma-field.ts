/**
 * Generates the AssemblyScript of a prime field on pairs of doubles with fused multiply-add: two products side by side in
 * the lanes of f64x2. An element is `limbs` doubles of `width` bits, balanced around 0; 2^(limbs·width) = K modulo p with
 * a small K.
 *
 * A product of two limbs has up to 2·width bits; fused multiply-add splits it without loss:
 *
 *   high = fma(a, b, C1)          C1 = 3·2^(width+51): one unit of the last place is 2^width, so the bits of `high` are
 *                                 those of C1 plus ⌊ab / 2^width⌉ as an integer
 *   low  = fma(a, b, C2 - high)   C2 = C1 + 3·2^51: the bits are those of 3·2^51 plus what is left, again an integer
 *
 * So the bit patterns themselves are summed as 64-bit integers, column by column. The sum of the constants is known
 * beforehand and subtracted in the initial value of each column.
 *
 * The order of the generated statements decides the speed: a column starts with its first product and an upper one is
 * folded soon after its last, so that all live values fit into 29 registers.
 */
import type { ProductName, WriteProduct } from './in-locals.ts'

export type FmaField = {
  /** Writes one product; the caller decides where its operands are and where the result goes. */
  writeProduct: WriteProduct
  /** The field's functions; called after all products have been written, because they share constants. */
  text: () => string
}

export function fmaField(bits: number, limbs: number, width: number): FmaField {
  const constants = createConstants()
  const shape: Shape = { limbs, width, constants, ...namedConstants(width, constants) }
  return {
    writeProduct: (name, place) => writeProduct(shape, kindOf(name), place),
    text() {
      const products = productNames.map((name) => productFunction(shape, name))
      return [
        `const FIELD_BITS: i32 = ${bits};`,
        `const LIMB_COUNT: i32 = ${limbs};`,
        `const LIMB_WIDTH: i32 = ${width};`,
        constants.text(),
        '/** K in both lanes. */',
        'const FOLD: usize = memory.data(16, 16);',
        ...products,
      ].join('\n')
    },
  }
}

const productNames: ProductName[] = ['mul', 'mulAdd', 'sqr', 'sqrAdd']

type Shape = {
  limbs: number
  width: number
  constants: Constants
  /** The expressions that read the constants. */
  c1: string
  c2: string
  c3: string
  mask: string
  /** Turns a masked column, with the carry of the previous column, into the bits of 3·2^51 plus the limb. */
  withCarry: string
  withoutCarry: string
  topWithCarry: string
  carryBits: string
  carryOffset: string
}
type ProductKind = { isSquare: boolean; hasAddend: boolean }
type Place = Parameters<WriteProduct>[1]

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

function kindOf(name: ProductName): ProductKind {
  return { isSquare: name.startsWith('sqr'), hasAddend: name.endsWith('Add') }
}

function productFunction(shape: Shape, name: ProductName): string {
  const { isSquare, hasAddend } = kindOf(name)
  const parameters = ['to', 'a', ...(isSquare ? [] : ['b']), ...(hasAddend ? ['addend'] : [])]
  const body = writeProduct(shape, kindOf(name), {
    load: (operand, i) => `v128.load(${operand}, ${16 * i})`,
    store: (i, limb) => `v128.store(to, ${limb}, ${16 * i});`,
  })
  return `function ${name}(${parameters.map((p) => `${p}: usize`).join(', ')}): void {\n${body}\n}`
}

/** How many columns behind the current one an upper column is folded: its last sums are finished only then. */
const foldingLag = 3

function writeProduct(shape: Shape, kind: ProductKind, place: Place): string {
  const { limbs, width, c1, c2, c3 } = shape
  const lines: string[] = []
  const begun = new Set<string>()

  function once(name: string, declaration: () => string): string {
    if (!begun.has(name)) {
      begun.add(name)
      lines.push(declaration())
    }
    return name
  }

  const a = (i: number) => once(`a${i}`, () => `const a${i}: v128 = ${place.load('a', i)};`)
  /** In a square b is twice a, and each pair of limbs comes once. */
  const b = (i: number) =>
    kind.isSquare
      ? once(`b${i}`, () => `const b${i}: v128 = f64x2.add(${a(i)}, ${a(i)});`)
      : once(`b${i}`, () => `const b${i}: v128 = ${place.load('b', i)};`)

  function column(k: number): string {
    const start = shape.constants.add(initialValue(shape, kind, k))
    const hasAddend = kind.hasAddend && k < limbs
    const addend = () => `i64x2.add(${start}, f64x2.add(${place.load('addend', k)}, ${c3}))`
    return once(`column${k}`, () => `let column${k}: v128 = ${hasAddend ? addend() : start};`)
  }

  /** Adds x·y to two columns. C1 is loaded each time: the instruction overwrites its addend, and copies cost more. */
  function addProduct(x: string, y: string, k: number): void {
    const [low, high] = [column(k), column(k + 1)]
    lines.push(
      `high = f64x2.relaxed_madd(${x}, ${y}, ${c1});`,
      `${high} = i64x2.add(${high}, high);`,
      `${low} = i64x2.add(${low}, f64x2.relaxed_madd(${x}, ${y}, f64x2.sub(c2, high)));`,
    )
  }

  function addColumn(k: number): void {
    for (const [i, j] of limbPairs(limbs, kind, k)) {
      if (kind.isSquare && i === j) addProduct(a(i), a(i), k)
      else addProduct(b(j), a(i), k)
    }
  }

  /** Turns an upper column into a limb and adds it, times K, to the two columns `limbs` places lower. */
  function fold(k: number): void {
    if (k === 2 * limbs - 1) {
      const low = column(k - limbs)
      lines.push(
        `limb = f64x2.sub(i64x2.add(i64x2.add(${column(k)}, carry), ${shape.topWithCarry}), ${c3});`,
        `high = f64x2.relaxed_madd(limb, fold, ${c1});`,
        `${low} = i64x2.add(${low}, f64x2.relaxed_madd(limb, fold, f64x2.sub(c2, high)));`,
        // the part that would go one column above the lower half is folded once more at the end
        `const beyond: v128 = f64x2.sub(high, ${c1});`,
      )
      return
    }
    lines.push(
      `limb = ${limbOf(k, k === limbs ? null : 'carry')};`,
      `carry = i64x2.shr_u(${column(k)}, ${width});`,
    )
    addProduct('limb', 'fold', k - limbs)
  }

  function limbOf(k: number, carry: string | null): string {
    const masked = `v128.and(${column(k)}, mask)`
    return carry === null
      ? `f64x2.sub(i64x2.add(${masked}, ${shape.withoutCarry}), ${c3})`
      : `f64x2.sub(i64x2.add(i64x2.add(${masked}, ${carry}), withCarry), ${c3})`
  }

  /**
   * Carries once from each column to the next, all in parallel; the carry of the last column is added to the first.
   */
  function storeLowerHalf(): void {
    lines.push(
      `const carryBits: v128 = v128.or(i64x2.shr_u(${column(limbs - 1)}, ${width}), ${shape.carryBits});`,
      `const out: v128 = f64x2.relaxed_madd(beyond, f64x2.splat(${2 ** -width}), f64x2.sub(carryBits, ${shape.carryOffset}));`,
      place.store(0, `f64x2.relaxed_madd(out, fold, ${limbOf(0, null)})`),
      ...range(limbs - 1).map((i) =>
        place.store(i + 1, limbOf(i + 1, `i64x2.shr_u(${column(i)}, ${width})`)),
      ),
    )
  }

  lines.push(
    `const c2: v128 = ${c2}, fold: v128 = v128.load(FOLD), mask: v128 = ${shape.mask}, withCarry: v128 = ${shape.withCarry};`,
    'let high: v128, limb: v128, carry: v128;',
  )
  for (const k of range(2 * limbs - 1)) {
    addColumn(k)
    if (k - foldingLag >= limbs) fold(k - foldingLag)
  }
  for (const k of range(2 * limbs).slice(-1 - foldingLag)) fold(k)
  storeLowerHalf()
  return lines.join('\n')
}

/** The pairs of limbs of one column. */
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

type Constants = {
  /** Adds a constant with the same 64 bits in both lanes; returns the expression that reads it. */
  add: (bits: bigint) => string
  addDouble: (value: number) => string
  text: () => string
}

/** Constants are in memory, because a v128 literal would be built again at each use. */
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
