/**
 * Generates the AssemblyScript of a prime field on pairs of integers, for machines whose WebAssembly has no fused
 * multiply-add: two products side by side, each limb a 32-bit integer of `width` bits balanced around 0, products of
 * limbs summed in columns of 64 bits. 2^(limbs·width) = K modulo p with a small K. (Multiplication of 64-bit words, one
 * product at a time, was tried first: half as fast, because on ARM it takes three cycles a limb.)
 */
export function integerField(bits: number, limbs: number, width: number): string {
  const shape = { limbs, width }
  return [
    `const FIELD_BITS: i32 = ${bits};`,
    `const LIMB_COUNT: i32 = ${limbs};`,
    `const LIMB_WIDTH: i32 = ${width};`,
    '/** K in all lanes. */',
    'const FOLD: usize = memory.data(16, 16);',
    helpers(shape),
    product(shape, 'mul', { isSquare: false, hasAddend: false }),
    product(shape, 'mulAdd', { isSquare: false, hasAddend: true }),
    product(shape, 'sqr', { isSquare: true, hasAddend: false }),
    product(shape, 'sqrAdd', { isSquare: true, hasAddend: true }),
  ].join('\n')
}

type Shape = { limbs: number; width: number }
type ProductKind = { isSquare: boolean; hasAddend: boolean }

function helpers({ width }: Shape): string {
  return `
/** What a column hands to the next one so that less than half a unit stays. */
@inline
function carryOf(column: v128, half: v128): v128 {
  return i64x2.shr_s(i64x2.add(column, half), ${width});
}
@inline
function without(column: v128, carry: v128): v128 {
  return i64x2.sub(column, i64x2.shl(carry, ${width}));
}
/** A column that fits 32 bits, times K. */
@inline
function folded(column: v128, k: v128): v128 {
  return i64x2.extmul_low_i32x4_s(v128.shuffle<i32>(column, column, 0, 2, 0, 2), k);
}`
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

function operands({ limbs }: Shape, { isSquare }: ProductKind): string[] {
  return range(limbs).flatMap((i) => [
    `const a${i}: v128 = v128.load_zero<u64>(a, ${8 * i});`,
    `const b${i}: v128 = ${isSquare ? `i32x4.add(a${i}, a${i})` : `v128.load_zero<u64>(b, ${8 * i})`};`,
  ])
}

function columns({ limbs }: Shape, { isSquare, hasAddend }: ProductKind): string[] {
  return range(2 * limbs - 1).map((k) => {
    // in a square b is twice a, and each pair comes once
    const terms = range(limbs)
      .map((i) => ({ i, j: k - i }))
      .filter(({ i, j }) => j >= 0 && j < limbs && (!isSquare || i <= j))
      .map(({ i, j }) => `i64x2.extmul_low_i32x4_s(a${i}, ${isSquare && i === j ? 'a' : 'b'}${j})`)
    if (hasAddend && k < limbs) terms.push(`i64x2.extend_low_i32x4_s(v128.load_zero<u64>(addend, ${8 * k}))`)
    return `let c${k}: v128 = ${terms.reduce((sum, term) => `i64x2.add(${sum}, ${term})`)};`
  })
}

/** Carries once through all columns; then adds each upper column, times K, `limbs` places lower. */
function foldedUpperHalf({ limbs, width }: Shape): string[] {
  const top = 2 * limbs - 2
  return [
    `const half: v128 = i64x2.splat(${2 ** (width - 1)}), k: v128 = v128.load(FOLD);`,
    'let carry: v128;',
    ...range(top + 1).flatMap((i) => [
      `carry = carryOf(c${i}, half); c${i} = without(c${i}, carry);`,
      ...(i < top ? [`c${i + 1} = i64x2.add(c${i + 1}, carry);`] : []),
    ]),
    // the carry out of the top may have more than 32 bits: it takes two more limbs
    'const beyond: v128 = carryOf(carry, half);',
    `c${limbs - 1} = i64x2.add(c${limbs - 1}, folded(without(carry, beyond), k));`,
    `c${limbs} = i64x2.add(c${limbs}, folded(beyond, k));`,
    ...range(limbs - 1).map((i) => `c${i} = i64x2.add(c${i}, folded(c${i + limbs}, k));`),
  ]
}

/** Carries once from each column to the next, all in parallel; the carry of the last column is added to the first. */
function lowerHalf({ limbs }: Shape): string[] {
  return [
    ...range(limbs).map((i) => `const t${i}: v128 = carryOf(c${i}, half); c${i} = without(c${i}, t${i});`),
    ...range(limbs - 1).map((i) => `c${i + 1} = i64x2.add(c${i + 1}, t${i});`),
    `c0 = i64x2.add(c0, folded(t${limbs - 1}, k));`,
    'carry = carryOf(c0, half); c0 = without(c0, carry); c1 = i64x2.add(c1, carry);',
    ...range(Math.ceil(limbs / 2)).map((i) => {
      const second = 2 * i + 1 < limbs ? `c${2 * i + 1}` : 'i64x2.splat(0)'
      return `v128.store(to, v128.shuffle<i32>(c${2 * i}, ${second}, 0, 2, 4, 6), ${16 * i});`
    }),
  ]
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i)
}
