// Points in Jacobian coordinates for the two fields that multiply in pairs: each formula is arranged so that the
// values in the two lanes can be multiplied together. Comments name the lanes as [first, second].
//
// Between products limbs are added without carries. A product takes operands whose units multiply to at most 60 (a
// unit is the size of a product's own limbs); the largest case below is 4 × 5, in doubleAny.

/** [x, y] */
const AFFINE_SIZE: usize = SIZE;
/** [X, Y], [Z², Z³], [Z, Z] */
const ENTRY_SIZE: usize = 3 * SIZE;

/** The accumulator: [X, X] and [Z, Y]. */
const XX: usize = memory.data(SIZE, 16);
const ZY: usize = memory.data(SIZE, 16);

/** [a, a] */
const CURVE_A: usize = memory.data(SIZE, 16);
let aIsMinus3: bool = false;

const LEFT: usize = memory.data(SIZE, 16);
const RIGHT: usize = memory.data(SIZE, 16);
const ADDEND: usize = memory.data(SIZE, 16);
const KEPT: usize = memory.data(SIZE, 16);
const P1: usize = memory.data(SIZE, 16);
const P2: usize = memory.data(SIZE, 16);
const P3: usize = memory.data(SIZE, 16);
const P4: usize = memory.data(SIZE, 16);

/** Slot 0: a. */
export function setUp(constant: f64, isMinus3: bool): void {
  setFold(constant);
  aIsMinus3 = isMinus3;
  takeLane(CURVE_A, SLOTS);
  takeLane(CURVE_A + LANE, SLOTS);
}

/** Reads the affine point in slots 0 and 1. */
function takePoint(to: usize): void {
  takeLane(to, SLOTS);
  takeLane(to + LANE, SLOTS + SLOT);
}

/** Reads the number in a slot as balanced limbs of one lane. */
function takeLane(to: usize, slot: usize): void {
  const full: i64 = <i64>1 << LIMB_WIDTH;
  let carry: i64 = 0;
  for (let i: i32 = 0; i < LIMB_COUNT; i++) {
    const bit: i32 = i * LIMB_WIDTH;
    let limb: i64 = <i64>((load<u64>(slot + (bit >> 3)) >> <u64>(bit & 7)) & <u64>(full - 1)) + carry;
    carry = 0;
    if (limb >= full >> 1 && i < LIMB_COUNT - 1) {
      limb -= full;
      carry = 1;
    }
    putLimb(to, i, limb);
  }
}

/** Puts the limbs of X, Y or Z of the result into the output area. */
export function show(coordinate: i32): void {
  showLane(coordinate == 0 ? XX : coordinate == 1 ? ZY + LANE : ZY);
}

function showLane(from: usize): void {
  for (let i: i32 = 0; i < LIMB_COUNT; i++) store<i64>(LIMBS + 8 * i, limbAt(from, i));
}

/**
 * Puts the limbs of r·Z² - X into the output area, with r from slot 0: a multiple of p if r is the affine x of the
 * result.
 */
export function compareX(): void {
  takeLane(LEFT, SLOTS);
  takeLane(LEFT + LANE, SLOTS);
  sqr(P1, ZY);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(ADDEND + i, negated(v128.load(XX + i)));
  }
  mulAdd(P2, LEFT, P1, ADDEND);
  showLane(P2);
}

function double(): void {
  if (aIsMinus3) doubleMinus3();
  else doubleAny();
}

/** δ = Z², γ = Y², β = Xγ, α = 3(X - δ)(X + δ); X' = α² - 8β, Z' = (Y + Z)² - γ - δ, Y' = α(4β - X') - 8γ². */
function doubleMinus3(): void {
  const first: v128 = v128.load(FIRST);
  const second: v128 = v128.load(SECOND);
  const threeOne: v128 = v128.load(THREE_ONE);
  const minusEightOne: v128 = v128.load(MINUS_EIGHT_ONE);
  const fourEight: v128 = v128.load(FOUR_EIGHT);
  sqr(P1, ZY); // [δ, γ]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const gammaDelta: v128 = swapped(v128.load(P1 + i));
    const x: v128 = v128.load(XX + i);
    v128.store(LEFT + i, minus(x, v128.and(gammaDelta, second))); // [X, X - δ]
    v128.store(RIGHT + i, plus(gammaDelta, v128.and(x, second))); // [γ, X + δ]
  }
  mul(P2, LEFT, RIGHT); // [β, α/3]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const zy: v128 = v128.load(ZY + i);
    const deltaGamma: v128 = v128.load(P1 + i);
    const products: v128 = v128.load(P2 + i);
    const sumZY: v128 = plus(zy, swapped(zy));
    const sumDelta: v128 = plus(deltaGamma, swapped(deltaGamma));
    v128.store(KEPT + i, times(lanes11(products, sumZY), threeOne)); // [α, Y + Z]
    v128.store(ADDEND + i, times(lanes01(products, sumDelta), minusEightOne)); // [-8β, -γ - δ]
  }
  sqrAdd(P3, KEPT, ADDEND); // [X', Z']
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const deltaGamma: v128 = v128.load(P1 + i);
    const next: v128 = v128.load(P3 + i);
    const scaled: v128 = times(lanes01(v128.load(P2 + i), deltaGamma), fourEight);
    v128.store(LEFT + i, lanes01(v128.load(KEPT + i), deltaGamma)); // [α, γ]
    v128.store(RIGHT + i, minus(scaled, v128.and(first, next))); // [4β - X', 8γ]
    v128.store(XX + i, lanes00(next, next));
  }
  mul(P4, LEFT, RIGHT);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const terms: v128 = v128.load(P4 + i);
    v128.store(ZY + i, lanes10(v128.load(P3 + i), minus(terms, swapped(terms))));
  }
}

/** γ = Y², β = Xγ, M = 3X² + aZ⁴; X' = M² - 8β, Z' = 2YZ, Y' = M(4β - X') - 8γ². */
function doubleAny(): void {
  const first: v128 = v128.load(FIRST);
  const threeOne: v128 = v128.load(THREE_ONE);
  const minusEightOne: v128 = v128.load(MINUS_EIGHT_ONE);
  const fourEight: v128 = v128.load(FOUR_EIGHT);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(LEFT + i, lanes00(v128.load(XX + i), v128.load(ZY + i))); // [X, Z]
  }
  sqr(P1, LEFT); // [X², Z²]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(LEFT + i, lanes11(v128.load(ZY + i), v128.load(P1 + i))); // [Y, Z²]
  }
  sqr(P2, LEFT); // [γ, Z⁴]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(LEFT + i, lanes00(v128.load(XX + i), v128.load(CURVE_A + i))); // [X, a]
  }
  mul(P3, LEFT, P2); // [β, aZ⁴]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const products: v128 = v128.load(P3 + i);
    const zy: v128 = v128.load(ZY + i);
    const m: v128 = plus(times(v128.load(P1 + i), threeOne), swapped(products));
    v128.store(LEFT + i, lanes01(m, plus(zy, zy))); // [M, 2Y]
    v128.store(RIGHT + i, lanes00(m, zy)); // [M, Z]
    v128.store(ADDEND + i, v128.and(first, times(products, minusEightOne))); // [-8β, 0]
  }
  mulAdd(P4, LEFT, RIGHT, ADDEND); // [X', Z']
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const next: v128 = v128.load(P4 + i);
    const gamma: v128 = v128.load(P2 + i);
    const scaled: v128 = times(lanes00(v128.load(P3 + i), gamma), fourEight);
    v128.store(LEFT + i, lanes00(v128.load(LEFT + i), gamma)); // [M, γ]
    v128.store(RIGHT + i, minus(scaled, v128.and(first, next))); // [4β - X', 8γ]
    v128.store(XX + i, lanes00(next, next));
  }
  mul(P1, LEFT, RIGHT);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const terms: v128 = v128.load(P1 + i);
    v128.store(ZY + i, lanes10(v128.load(P4 + i), minus(terms, swapped(terms))));
  }
}

/**
 * H = x·Z² - X, R = ±y·Z³ - Y, V = X·H²; X' = R² - H³ - 2V, Y' = R(V - X') - Y·H³, Z' = Z·H.
 */
function addAffine(entry: usize, isNegative: bool): void {
  const first: v128 = v128.load(FIRST);
  const sign: v128 = signOf(isNegative);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const zy: v128 = v128.load(ZY + i);
    const z: v128 = lanes00(zy, zy);
    v128.store(LEFT + i, z); // [Z, Z]
    v128.store(RIGHT + i, lanes01(z, times(v128.load(entry + i), sign))); // [Z, ±y]
  }
  mul(P1, LEFT, RIGHT); // [Z², ±yZ]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const products: v128 = v128.load(P1 + i);
    v128.store(LEFT + i, lanes01(v128.load(entry + i), products)); // [x, ±yZ]
    v128.store(RIGHT + i, lanes00(products, products)); // [Z², Z²]
    v128.store(ADDEND + i, negated(lanes01(v128.load(XX + i), v128.load(ZY + i)))); // [-X, -Y]
  }
  mulAdd(P2, LEFT, RIGHT, ADDEND); // [H, R]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const hr: v128 = v128.load(P2 + i);
    v128.store(LEFT + i, lanes00(hr, v128.load(ZY + i))); // [H, Z]
    v128.store(RIGHT + i, lanes00(hr, hr)); // [H, H]
  }
  mul(P3, LEFT, RIGHT); // [H², Z']
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const squared: v128 = v128.load(P3 + i);
    v128.store(LEFT + i, lanes00(v128.load(P2 + i), v128.load(XX + i))); // [H, X]
    v128.store(RIGHT + i, lanes00(squared, squared)); // [H², H²]
  }
  mul(P4, LEFT, RIGHT); // [H³, V]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const cubeV: v128 = v128.load(P4 + i);
    const hr: v128 = v128.load(P2 + i);
    const vCube: v128 = swapped(cubeV);
    v128.store(LEFT + i, lanes11(hr, v128.load(ZY + i))); // [R, Y]
    v128.store(RIGHT + i, lanes10(hr, cubeV)); // [R, H³]
    v128.store(ADDEND + i, v128.and(first, negated(plus(cubeV, plus(vCube, vCube))))); // [-H³ - 2V, 0]
  }
  mulAdd(P1, LEFT, RIGHT, ADDEND); // [X', Y·H³]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const next: v128 = v128.load(P1 + i);
    const hr: v128 = v128.load(P2 + i);
    v128.store(LEFT + i, lanes11(hr, hr)); // [R, R]
    v128.store(RIGHT + i, minus(swapped(v128.load(P4 + i)), next)); // [V - X', not used]
    v128.store(ADDEND + i, negated(swapped(next))); // [-Y·H³, not used]
    v128.store(XX + i, lanes00(next, next));
  }
  mulAdd(P2, LEFT, RIGHT, ADDEND); // [Y', not used]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(ZY + i, lanes10(v128.load(P3 + i), v128.load(P2 + i)));
  }
}

/**
 * U = X·Z₂², S = Y·Z₂³, H = X₂·Z² - U, R = ±Y₂·Z³ - S, V = U·H²; X' = R² - H³ - 2V, Y' = R(V - X') - S·H³, Z' = Z·Z₂·H.
 */
function addEntry(entry: usize, isNegative: bool): void {
  const first: v128 = v128.load(FIRST);
  const sign: v128 = signOf(isNegative);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const zy: v128 = v128.load(ZY + i);
    const z: v128 = lanes00(zy, zy);
    v128.store(LEFT + i, z); // [Z, Z]
    v128.store(RIGHT + i, lanes00(z, v128.load(entry + 2 * SIZE + i))); // [Z, Z₂]
    v128.store(KEPT + i, lanes01(v128.load(XX + i), zy)); // [X, Y]
  }
  mul(P1, LEFT, RIGHT); // [Z², Z·Z₂]
  mul(P2, KEPT, entry + SIZE); // [U, S]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const xy: v128 = v128.load(entry + i);
    v128.store(LEFT + i, lanes01(xy, times(xy, sign))); // [X₂, ±Y₂]
    v128.store(RIGHT + i, lanes00(v128.load(P1 + i), v128.load(ZY + i))); // [Z², Z]
  }
  mul(P3, LEFT, RIGHT); // [X₂·Z², ±Y₂·Z]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const products: v128 = v128.load(P3 + i);
    const us: v128 = v128.load(P2 + i);
    const h: v128 = minus(products, us);
    v128.store(KEPT + i, h); // [H, not used]
    v128.store(LEFT + i, lanes10(products, h)); // [±Y₂·Z, H]
    v128.store(RIGHT + i, lanes00(v128.load(P1 + i), h)); // [Z², H]
    v128.store(ADDEND + i, v128.and(first, negated(swapped(us)))); // [-S, 0]
  }
  mulAdd(P4, LEFT, RIGHT, ADDEND); // [R, H²]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const rh: v128 = v128.load(P4 + i);
    v128.store(LEFT + i, lanes00(v128.load(KEPT + i), v128.load(P2 + i))); // [H, U]
    v128.store(RIGHT + i, lanes11(rh, rh)); // [H², H²]
  }
  mul(P3, LEFT, RIGHT); // [H³, V]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const cubeV: v128 = v128.load(P3 + i);
    const rh: v128 = v128.load(P4 + i);
    const vCube: v128 = swapped(cubeV);
    v128.store(LEFT + i, lanes01(rh, v128.load(P2 + i))); // [R, S]
    v128.store(RIGHT + i, lanes00(rh, cubeV)); // [R, H³]
    v128.store(ADDEND + i, v128.and(first, negated(plus(cubeV, plus(vCube, vCube))))); // [-H³ - 2V, 0]
  }
  mulAdd(P2, LEFT, RIGHT, ADDEND); // [X', S·H³]
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const next: v128 = v128.load(P2 + i);
    const difference: v128 = minus(swapped(v128.load(P3 + i)), next);
    v128.store(LEFT + i, lanes01(v128.load(P4 + i), v128.load(P1 + i))); // [R, Z·Z₂]
    v128.store(RIGHT + i, lanes00(difference, v128.load(KEPT + i))); // [V - X', H]
    v128.store(ADDEND + i, v128.and(first, negated(swapped(next)))); // [-S·H³, 0]
    v128.store(XX + i, lanes00(next, next));
  }
  mulAdd(P3, LEFT, RIGHT, ADDEND); // [Y', Z']
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(ZY + i, swapped(v128.load(P3 + i)));
  }
}

function storeEntry(to: usize): void {
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const zy: v128 = v128.load(ZY + i);
    v128.store(to + i, lanes01(v128.load(XX + i), zy));
    v128.store(to + 2 * SIZE + i, lanes00(zy, zy));
  }
  sqr(P1, to + 2 * SIZE);
  mul(P2, P1, to + 2 * SIZE);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    v128.store(to + SIZE + i, lanes00(v128.load(P1 + i), v128.load(P2 + i)));
  }
}

function loadEntry(entry: usize, isNegative: bool): void {
  const sign: v128 = signOf(isNegative);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const xy: v128 = v128.load(entry + i);
    v128.store(XX + i, lanes00(xy, xy));
    v128.store(ZY + i, lanes01(v128.load(entry + 2 * SIZE + i), times(xy, sign)));
  }
}

function loadAffine(entry: usize, isNegative: bool): void {
  const sign: v128 = signOf(isNegative);
  for (let i: usize = 0; i < SIZE; i += 16) { // each limb
    const xy: v128 = v128.load(entry + i);
    v128.store(XX + i, lanes00(xy, xy));
    v128.store(ZY + i, lanes01(i == 0 ? v128.load(ONE) : i64x2.splat(0), times(xy, sign)));
  }
}
