/**
 * Generates the AssemblyScript of a field of any odd prime on signed 64-bit words: `limbs` words of `width` bits,
 * balanced around 0. Products carry the factor 2^-(limbs·width) (Montgomery), so numbers are first multiplied by its
 * inverse. Only the prime of CryptoPro-C needs it: all others have a special form.
 */
export function montgomeryField(bits: number, limbs: number, width: number): string {
  const shape = { limbs, width }
  return [
    `const FIELD_BITS: i32 = ${bits};`,
    `const LIMB_COUNT: i32 = ${limbs};`,
    `const LIMB_WIDTH: i32 = ${width};`,
    montgomerySetUp(limbs),
    balancedLimbs(shape),
    product(shape, 'mul', { isSquare: false, hasAddend: false }),
    product(shape, 'mulAdd', { isSquare: false, hasAddend: true }),
    product(shape, 'sqr', { isSquare: true, hasAddend: false }),
    product(shape, 'sqrAdd', { isSquare: true, hasAddend: true }),
  ].join('\n')
}

type Shape = { limbs: number; width: number }
type ProductKind = { isSquare: boolean; hasAddend: boolean }

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
  return [
    `function ${name}(${parameters.map((p) => `${p}: usize`).join(', ')}): void {`,
    ...operands(shape, kind),
    ...montgomeryBody(shape, kind),
    '}',
  ].join('\n')
}

function operands({ limbs }: Shape, { isSquare }: ProductKind): string[] {
  return range(limbs).flatMap((i) => [
    `const a${i}: i64 = load<i64>(a, ${8 * i});`,
    isSquare ? `const b${i}: i64 = a${i} + a${i};` : `const b${i}: i64 = load<i64>(b, ${8 * i});`,
  ])
}

/** The products of limbs of one column; in a square b is twice a, and each pair occurs once. */
function columnTerms({ limbs }: Shape, { isSquare }: ProductKind, column: number): string[] {
  return range(limbs)
    .map((i) => ({ i, j: column - i }))
    .filter(({ i, j }) => j >= 0 && j < limbs && (!isSquare || i <= j))
    .map(({ i, j }) => (isSquare && i === j ? `a${i} * a${i}` : `b${j} * a${i}`))
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
