// A pair of limbs in two doubles: one v128 for each limb.

const LANE: usize = 8;
const SIZE: usize = 16 * LIMB_COUNT;

const FIRST: usize = memory.data<u64>([0xffffffffffffffff, 0], 16);
const SECOND: usize = memory.data<u64>([0, 0xffffffffffffffff], 16);
const ONE: usize = memory.data<f64>([1.0, 1.0], 16);
const THREE_ONE: usize = memory.data<f64>([3.0, 1.0], 16);
const MINUS_EIGHT_ONE: usize = memory.data<f64>([-8.0, -1.0], 16);
const FOUR_EIGHT: usize = memory.data<f64>([4.0, 8.0], 16);

function putLimb(lane: usize, i: i32, limb: i64): void {
  store<f64>(lane + 16 * i, <f64>limb);
}
function limbAt(lane: usize, i: i32): i64 {
  return <i64>load<f64>(lane + 16 * i);
}

/** [a₀, b₀], [a₀, b₁] and so on: one lane of each. */
@inline
function lanes00(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 2);
}
@inline
function lanes01(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 0, 3);
}
@inline
function lanes10(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 2);
}
@inline
function lanes11(a: v128, b: v128): v128 {
  return v128.shuffle<i64>(a, b, 1, 3);
}
@inline
function swapped(a: v128): v128 {
  return v128.shuffle<i64>(a, a, 1, 0);
}

@inline
function plus(a: v128, b: v128): v128 {
  return f64x2.add(a, b);
}
@inline
function minus(a: v128, b: v128): v128 {
  return f64x2.sub(a, b);
}
@inline
function negated(a: v128): v128 {
  return f64x2.neg(a);
}
@inline
function times(a: v128, b: v128): v128 {
  return f64x2.mul(a, b);
}
@inline
function signOf(isNegative: bool): v128 {
  return f64x2.splat(isNegative ? -1.0 : 1.0);
}

function setFold(k: f64): void {
  v128.store(FOLD, f64x2.splat(k));
}
