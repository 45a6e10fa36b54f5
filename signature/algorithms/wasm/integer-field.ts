/**
 * Writes the AssemblyScript of a prime field on signed 64-bit words: elements are `limbs` words of `width` bits, balanced
 * around 0. It is the build for machines without fused multiply-add in WebAssembly.
 *
 * special     2^(limbs·width) = K modulo p with a small K: the upper half of a product is folded back by K
 * montgomery  any odd p: products carry the factor 2^-(limbs·width), numbers come in multiplied by its inverse
 *
 * Products are written out limb by limb: the compiler does not unroll loops, and 100 to 361 products of limbs are the
 * whole cost of a verification.
 */
export type IntegerFieldKind = 'special' | 'montgomery'

export function integerField(bits: number, limbs: number, width: number, kind: IntegerFieldKind): string {
  const shape = { limbs, width, kind }
  return [
    `const FIELD_BITS: i32 = ${bits};`,
    `const LIMB_COUNT: i32 = ${limbs};`,
    `const LIMB_WIDTH: i32 = ${width};`,
    kind === 'special' ? specialSetUp : montgomerySetUp(limbs),
    balancedLimbs(shape),
    product(shape, 'mul', { isSquare: false, hasAddend: false }),
    product(shape, 'mulAdd', { isSquare: false, hasAddend: true }),
    product(shape, 'sqr', { isSquare: true, hasAddend: false }),
    product(shape, 'sqrAdd', { isSquare: true, hasAddend: true }),
  ].join('\n')
}

type Shape = { limbs: number; width: number; kind: IntegerFieldKind }
type ProductKind = { isSquare: boolean; hasAddend: boolean }

const specialSetUp = `
/** K = 2^(limbs·width) modulo p. */
let constant: i64 = 0;
function setUpField(k: i64): void {
  constant = k;
}
function takeNumber(to: usize, slot: usize): void {
  takeLimbs(to, slot);
}`

function montgomerySetUp(limbs: number): string {
  return `
/** -1/p modulo 2^width. */
let constant: i64 = 0;
const MODULUS: usize = memory.data(${8 * limbs}, 16);
const FACTOR_SQUARED: usize = memory.data(${8 * limbs}, 16);
function setUpField(inverse: i64): void {
  constant = inverse;
  takeLimbs(MODULUS, SLOTS + SLOT);
  takeLimbs(FACTOR_SQUARED, SLOTS + 2 * SLOT);
}
function takeNumber(to: usize, slot: usize): void {
  takeLimbs(to, slot);
  mul(to, to, FACTOR_SQUARED);
}`
}

function balancedLimbs({ limbs, width }: Shape): string {
  return `
function takeLimbs(to: usize, slot: usize): void {
  let carry: i64 = 0;
  for (let i: i32 = 0; i < ${limbs}; i++) {
    let limb: i64 = <i64>bitsAt(slot, i * ${width}, ${width}) + carry;
    carry = 0;
    if (limb >= ${2 ** (width - 1)} && i < ${limbs - 1}) {
      limb -= ${2 ** width};
      carry = 1;
    }
    store<i64>(to + 8 * i, limb);
  }
}`
}

function product(shape: Shape, name: string, kind: ProductKind): string {
  const parameters = ['to', 'a', ...(kind.isSquare ? [] : ['b']), ...(kind.hasAddend ? ['addend'] : [])]
  const body = shape.kind === 'special' ? specialBody(shape, kind) : montgomeryBody(shape, kind)
  return [
    `function ${name}(${parameters.map((p) => `${p}: usize`).join(', ')}): void {`,
    ...operands(shape, kind),
    ...body,
    '}',
  ].join('\n')
}

function operands({ limbs }: Shape, { isSquare }: ProductKind): string[] {
  return range(limbs).flatMap((i) => [
    `const a${i}: i64 = load<i64>(a, ${8 * i});`,
    isSquare ? `const b${i}: i64 = a${i} + a${i};` : `const b${i}: i64 = load<i64>(b, ${8 * i});`,
  ])
}

/** The products of limbs that belong to one column; in a square b is twice a, and each pair comes once. */
function columnTerms({ limbs }: Shape, { isSquare }: ProductKind, column: number): string[] {
  return range(limbs)
    .map((i) => ({ i, j: column - i }))
    .filter(({ i, j }) => j >= 0 && j < limbs && (!isSquare || i <= j))
    .map(({ i, j }) => (isSquare && i === j ? `a${i} * a${i}` : `b${j} * a${i}`))
}

/** Columns, one carry through all of them, the upper half folded by K, one carry that runs in parallel. */
function specialBody(shape: Shape, kind: ProductKind): string[] {
  const { limbs, width } = shape
  const half = 2 ** (width - 1)
  const top = 2 * limbs - 2
  const addend = (k: number) => (kind.hasAddend && k < limbs ? [`load<i64>(addend, ${8 * k})`] : [])
  return [
    ...range(top + 1).map(
      (k) => `let c${k}: i64 = ${[...columnTerms(shape, kind, k), ...addend(k)].join(' + ')};`,
    ),
    'const k: i64 = constant;',
    'let t: i64, carried: i64 = 0;',
    ...range(top + 1).flatMap((k) => [
      `t = (c${k} + ${half}) >> ${width}; c${k} -= t << ${width};`,
      k < top ? `c${k + 1} += t;` : `c${limbs - 1} += t * k;`,
    ]),
    ...range(limbs - 1).map((k) => `c${k} += c${k + limbs} * k;`),
    ...range(limbs).map(
      (k) =>
        `t = (c${k} + ${half}) >> ${width}; const r${k}: i64 = c${k} - (t << ${width}) + carried; carried = t;`,
    ),
    `const first: i64 = r0 + carried * k; t = (first + ${half}) >> ${width};`,
    `store<i64>(to, first - (t << ${width})); store<i64>(to, r1 + t, 8);`,
    ...range(limbs)
      .slice(2)
      .map((k) => `store<i64>(to, r${k}, ${8 * k});`),
  ]
}

/** Column by column: m_k makes the column divisible by 2^width; the upper columns are the result. */
function montgomeryBody(shape: Shape, kind: ProductKind): string[] {
  const { limbs, width } = shape
  const half = 2 ** (width - 1)
  const balanced = (x: string) => `((${x} + ${half}) & ${2 ** width - 1}) - ${half}`
  const moduli = (k: number) =>
    range(limbs)
      .filter((i) => i < k && k - i < limbs)
      .map((i) => `m${i} * p${k - i}`)
  return [
    'const inverse: i64 = constant;',
    'let sum: i64 = 0;',
    ...range(limbs).map((i) => `const p${i}: i64 = load<i64>(MODULUS, ${8 * i});`),
    ...range(limbs).flatMap((k) => [
      `sum += ${[...columnTerms(shape, kind, k), ...moduli(k)].join(' + ')};`,
      `const m${k}: i64 = ${balanced('sum * inverse')}; sum = (sum + m${k} * p0) >> ${width};`,
    ]),
    ...range(limbs).flatMap((i) => {
      const k = i + limbs
      const addend = kind.hasAddend ? [`load<i64>(addend, ${8 * i})`] : []
      const terms = [...columnTerms(shape, kind, k), ...moduli(k), ...addend]
      const add = terms.length > 0 ? [`sum += ${terms.join(' + ')};`] : []
      if (i === limbs - 1) return [...add, `store<i64>(to, sum, ${8 * i});`]
      return [
        ...add,
        `const r${i}: i64 = ${balanced('sum')}; store<i64>(to, r${i}, ${8 * i}); sum = (sum - r${i}) >> ${width};`,
      ]
    }),
  ]
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}
