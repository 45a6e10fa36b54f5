// A pair of limbs in two 32-bit integers: one v128 for two limbs.

const LANE: usize = 4;
const SIZE: usize = 16 * ((LIMB_COUNT + 1) / 2);

const FIRST: usize = memory.data<i32>([-1, 0, -1, 0], 16);
const SECOND: usize = memory.data<i32>([0, -1, 0, -1], 16);
const ONE: usize = memory.data<i32>([1, 1, 0, 0], 16);
const THREE_ONE: usize = memory.data<i32>([3, 1, 3, 1], 16);
const MINUS_EIGHT_ONE: usize = memory.data<i32>([-8, -1, -8, -1], 16);
const FOUR_EIGHT: usize = memory.data<i32>([4, 8, 4, 8], 16);

function putLimb(lane: usize, i: i32, limb: i64): void {
  store<i32>(lane + 8 * i, <i32>limb);
}
function limbAt(lane: usize, i: i32): i64 {
  return load<i32>(lane + 8 * i);
}

/** [a₀, b₀], [a₀, b₁] and so on: one lane of each. */
@inline
function lanes00(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 2, 6);
}
@inline
function lanes01(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 5, 2, 7);
}
@inline
function lanes10(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 1, 4, 3, 6);
}
@inline
function lanes11(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 1, 5, 3, 7);
}
@inline
function swapped(a: v128): v128 {
  return v128.shuffle<i32>(a, a, 1, 0, 3, 2);
}

@inline
function plus(a: v128, b: v128): v128 {
  return i32x4.add(a, b);
}
@inline
function minus(a: v128, b: v128): v128 {
  return i32x4.sub(a, b);
}
@inline
function negated(a: v128): v128 {
  return i32x4.neg(a);
}
@inline
function times(a: v128, b: v128): v128 {
  return i32x4.mul(a, b);
}
@inline
function signOf(isNegative: bool): v128 {
  return i32x4.splat(isNegative ? -1 : 1);
}

function setFold(k: f64): void {
  v128.store(FOLD, i32x4.splat(<i32>k));
}
