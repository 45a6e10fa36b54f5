// Points in Jacobian coordinates over a field that multiplies one pair at a time. Between products limbs are added
// without carries: a product takes operands of a few units (a unit is the size of a product's own limbs) and never
// overflows.

const SIZE: usize = 8 * LIMB_COUNT;
const AFFINE_SIZE: usize = 2 * SIZE;
/** X, Y, Z, Z², Z³. */
const ENTRY_SIZE: usize = 5 * SIZE;

/** The accumulator. */
const X: usize = memory.data(SIZE, 16);
const Y: usize = memory.data(SIZE, 16);
const Z: usize = memory.data(SIZE, 16);

const CURVE_A: usize = memory.data(SIZE, 16);
const ONE: usize = memory.data(SIZE, 16);
let aIsMinus3: bool = false;

const T0: usize = memory.data(SIZE, 16);
const T1: usize = memory.data(SIZE, 16);
const T2: usize = memory.data(SIZE, 16);
const T3: usize = memory.data(SIZE, 16);
const T4: usize = memory.data(SIZE, 16);
const T5: usize = memory.data(SIZE, 16);
const T6: usize = memory.data(SIZE, 16);
const T7: usize = memory.data(SIZE, 16);
const T8: usize = memory.data(SIZE, 16);
const U1: usize = memory.data(SIZE, 16);
const S1: usize = memory.data(SIZE, 16);
const ADDEND: usize = memory.data(SIZE, 16);

/** Slot 0: a, slot 1: p, slot 2: the square of the Montgomery factor. */
export function setUp(constant: f64, isMinus3: bool): void {
  setUpField(<i64>constant);
  aIsMinus3 = isMinus3;
  takeNumber(CURVE_A, SLOTS);
  memory.fill(SLOTS, 0, SLOT);
  store<u8>(SLOTS, 1);
  takeNumber(ONE, SLOTS);
}

/** Reads the affine point in slots 0 and 1. */
function takePoint(to: usize): void {
  takeNumber(to, SLOTS);
  takeNumber(to + SIZE, SLOTS + SLOT);
}

/** Puts the limbs of X, Y or Z of the result into the output area. */
export function show(coordinate: i32): void {
  memory.copy(LIMBS, coordinate == 0 ? X : coordinate == 1 ? Y : Z, SIZE);
}

/**
 * Puts the limbs of r·Z² - X into the output area, with r from slot 0: a multiple of p if r is the affine x of the
 * result.
 */
export function compareX(): void {
  takeNumber(T1, SLOTS);
  sqr(T0, Z);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, -load<i64>(X + i));
  }
  mulAdd(LIMBS, T1, T0, ADDEND);
}

function double(): void {
  if (aIsMinus3) doubleMinus3();
  else doubleAny();
}

/** δ = Z², γ = Y², β = Xγ, α = 3(X - δ)(X + δ); X' = α² - 8β, Z' = (Y + Z)² - γ - δ, Y' = α(4β - X') - 8γ². */
function doubleMinus3(): void {
  sqr(T0, Z);
  sqr(T1, Y);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(T2 + i, load<i64>(X + i) - load<i64>(T0 + i));
    store<i64>(T3 + i, load<i64>(X + i) + load<i64>(T0 + i));
  }
  mul(T4, X, T1);
  mul(T5, T2, T3);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(T5 + i, 3 * load<i64>(T5 + i));
    store<i64>(ADDEND + i, -8 * load<i64>(T4 + i));
    store<i64>(T6 + i, load<i64>(Y + i) + load<i64>(Z + i));
    store<i64>(T7 + i, -load<i64>(T0 + i) - load<i64>(T1 + i));
  }
  sqrAdd(X, T5, ADDEND);
  sqrAdd(Z, T6, T7);
  sqr(T3, T1);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(T2 + i, 4 * load<i64>(T4 + i) - load<i64>(X + i));
    store<i64>(ADDEND + i, -8 * load<i64>(T3 + i));
  }
  mulAdd(Y, T5, T2, ADDEND);
}

/** γ = Y², β = Xγ, M = 3X² + aZ⁴; X' = M² - 8β, Z' = 2YZ, Y' = M(4β - X') - 8γ². */
function doubleAny(): void {
  sqr(T0, X);
  sqr(T1, Y);
  sqr(T2, Z);
  sqr(T3, T2);
  mul(T4, X, T1);
  sqr(T5, T1);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, 3 * load<i64>(T0 + i));
  }
  mulAdd(T6, T3, CURVE_A, ADDEND);
  mul(T7, Y, Z);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, -8 * load<i64>(T4 + i));
    store<i64>(Z + i, 2 * load<i64>(T7 + i));
  }
  sqrAdd(X, T6, ADDEND);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(T2 + i, 4 * load<i64>(T4 + i) - load<i64>(X + i));
    store<i64>(ADDEND + i, -8 * load<i64>(T5 + i));
  }
  mulAdd(Y, T6, T2, ADDEND);
}

/** The entry's Z is 1: U1 = X, S1 = Y, H = x·Z² - X, R = ±y·Z³ - Y. */
function addAffine(entry: usize, isNegative: bool): void {
  sqr(T0, Z);
  mul(T1, entry + SIZE, Z);
  if (isNegative) negate(T1);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, -load<i64>(X + i));
    store<i64>(T7 + i, -load<i64>(Y + i));
  }
  mulAdd(T2, entry, T0, ADDEND);
  mulAdd(T3, T1, T0, T7);
  finishAddition(X, Y);
}

/** U1 = X·Z₂², S1 = Y·Z₂³, H = X₂·Z² - U1, R = ±Y₂·Z³ - S1, and Z is multiplied by Z₂. */
function addEntry(entry: usize, isNegative: bool): void {
  sqr(T0, Z);
  mul(T1, entry + SIZE, Z);
  if (isNegative) negate(T1);
  mul(U1, X, entry + 3 * SIZE);
  mul(S1, Y, entry + 4 * SIZE);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, -load<i64>(U1 + i));
    store<i64>(T7 + i, -load<i64>(S1 + i));
  }
  mulAdd(T2, entry, T0, ADDEND);
  mulAdd(T3, T1, T0, T7);
  mul(Z, Z, entry + 2 * SIZE);
  finishAddition(U1, S1);
}

/** V = U1·H²; X' = R² - H³ - 2V, Y' = R(V - X') - S1·H³, Z' = Z·H; H is in T2, R in T3. */
function finishAddition(u1: usize, s1: usize): void {
  sqr(T4, T2);
  mul(T5, T2, T4);
  mul(T6, u1, T4);
  mul(Z, Z, T2);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(ADDEND + i, -load<i64>(T5 + i) - 2 * load<i64>(T6 + i));
  }
  sqrAdd(T7, T3, ADDEND);
  mul(T8, s1, T5);
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(T4 + i, load<i64>(T6 + i) - load<i64>(T7 + i));
    store<i64>(ADDEND + i, -load<i64>(T8 + i));
    store<i64>(X + i, load<i64>(T7 + i));
  }
  mulAdd(Y, T3, T4, ADDEND);
}

function storeEntry(to: usize): void {
  memory.copy(to, X, SIZE);
  memory.copy(to + SIZE, Y, SIZE);
  memory.copy(to + 2 * SIZE, Z, SIZE);
  sqr(to + 3 * SIZE, Z);
  mul(to + 4 * SIZE, to + 3 * SIZE, Z);
}

function loadEntry(entry: usize, isNegative: bool): void {
  memory.copy(X, entry, SIZE);
  memory.copy(Y, entry + SIZE, SIZE);
  memory.copy(Z, entry + 2 * SIZE, SIZE);
  if (isNegative) negate(Y);
}

function loadAffine(entry: usize, isNegative: bool): void {
  memory.copy(X, entry, SIZE);
  memory.copy(Y, entry + SIZE, SIZE);
  memory.copy(Z, ONE, SIZE);
  if (isNegative) negate(Y);
}

function negate(number: usize): void {
  for (let i: usize = 0; i < SIZE; i += 8) { // each limb
    store<i64>(number + i, -load<i64>(number + i));
  }
}
