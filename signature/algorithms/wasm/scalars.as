// Operations on scalars: their inverse modulo the order of the group, and their digits for the multiplication.

const SLOT: usize = 80;

/** Numbers are passed in and out here, little-endian, up to 576 bits each; the bytes above a number are zero. */
const SLOTS: usize = memory.data(4 * 80, 16);
export const slots: usize = SLOTS;
export const slotSize: i32 = 80;

/** Room for the number, its sign and one bit more. */
const LIMBS_30: usize = FIELD_BITS == 256 ? 9 : 18;
const MASK_30: i32 = 0x3fffffff;
const D: usize = memory.data(80, 16);
const E: usize = memory.data(80, 16);
const F: usize = memory.data(80, 16);
const G: usize = memory.data(80, 16);
const M: usize = memory.data(80, 16);

/** The matrix of one batch of division steps. */
let mu: i32 = 1;
let mv: i32 = 0;
let mq: i32 = 0;
let mr: i32 = 1;

/**
 * Replaces slot 0 by its inverse modulo slot 1 (odd, below 2^512): division steps of Bernstein and Yang in batches of
 * 30, in variable time, because nothing here is secret. The inverse of 0 is 0.
 */
export function invert(): void {
  toLimbs30(G, SLOTS);
  toLimbs30(M, SLOTS + SLOT);
  memory.copy(F, M, 72);
  memory.fill(D, 0, 72);
  memory.fill(E, 0, 72);
  store<i32>(E, 1);
  const inverse30: i32 = inverseOfOdd(load<i32>(M));
  let eta: i32 = -1;
  let isOver: bool = false;
  while (!isOver) {
    eta = divisionSteps(eta, load<u32>(F), load<u32>(G));
    updateDE(inverse30);
    isOver = !updateFG();
  }
  const isNegative: i32 = load<i32>(F + 4 * (LIMBS_30 - 1)) >> 31;
  normalise(isNegative);
  fromLimbs30(SLOTS, D);
}

/** Five Newton steps double the right bits from 3 to 96. */
function inverseOfOdd(x: i32): i32 {
  let inverse: i32 = x;
  for (let i = 0; i < 5; i++) inverse *= 2 - x * inverse;
  return inverse & MASK_30;
}

function divisionSteps(before: i32, f0: u32, g0: u32): i32 {
  let eta: i32 = before, left: i32 = 30;
  let u: i32 = 1, v: i32 = 0, q: i32 = 0, r: i32 = 1, f: u32 = f0, g: u32 = g0;
  while (true) {
    const zeros: i32 = <i32>ctz<u32>(g | (<u32>0xffffffff << left));
    g >>= zeros;
    u <<= zeros;
    v <<= zeros;
    eta -= zeros;
    left -= zeros;
    if (left == 0) break;
    if (eta < 0) {
      eta = -eta;
      const oldF: u32 = f, oldU: i32 = u, oldV: i32 = v;
      f = g;
      g = 0 - oldF;
      u = q;
      q = -oldU;
      v = r;
      r = -oldV;
    }
    // cancels as many low bits of g as η allows, up to 8: -g/f modulo 2^8 by two Newton steps from 3 right bits
    const limit: i32 = min(eta + 1, left);
    const mask: u32 = (<u32>0xffffffff >> (32 - limit)) & 255;
    let inverse: u32 = f;
    inverse *= 2 - f * inverse;
    inverse *= 2 - f * inverse;
    const times: u32 = (0 - g * inverse) & mask;
    g += f * times;
    q += u * <i32>times;
    r += v * <i32>times;
  }
  mu = u;
  mv = v;
  mq = q;
  mr = r;
  return eta;
}

/** (d, e) = matrix · (d, e) / 2^30 modulo M. */
function updateDE(inverse30: i32): void {
  const u: i64 = mu, v: i64 = mv, q: i64 = mq, r: i64 = mr;
  const top: usize = 4 * (LIMBS_30 - 1);
  const signD: i32 = load<i32>(D + top) >> 31, signE: i32 = load<i32>(E + top) >> 31;
  let timesD: i32 = (mu & signD) + (mv & signE), timesE: i32 = (mq & signD) + (mr & signE);
  let carryD: i64 = u * load<i32>(D) + v * load<i32>(E), carryE: i64 = q * load<i32>(D) + r * load<i32>(E);
  timesD -= (inverse30 * <i32>carryD + timesD) & MASK_30;
  timesE -= (inverse30 * <i32>carryE + timesE) & MASK_30;
  carryD = (carryD + <i64>load<i32>(M) * timesD) >> 30;
  carryE = (carryE + <i64>load<i32>(M) * timesE) >> 30;
  for (let i: usize = 4; i <= top; i += 4) {
    const d: i64 = load<i32>(D + i), e: i64 = load<i32>(E + i), m: i64 = load<i32>(M + i);
    carryD += u * d + v * e + m * timesD;
    carryE += q * d + r * e + m * timesE;
    store<i32>(D + i - 4, <i32>carryD & MASK_30);
    store<i32>(E + i - 4, <i32>carryE & MASK_30);
    carryD >>= 30;
    carryE >>= 30;
  }
  store<i32>(D + top, <i32>carryD);
  store<i32>(E + top, <i32>carryE);
}

/** (f, g) = matrix · (f, g) / 2^30. Returns whether g is still not 0. */
function updateFG(): bool {
  const u: i64 = mu, v: i64 = mv, q: i64 = mq, r: i64 = mr;
  const top: usize = 4 * (LIMBS_30 - 1);
  let carryF: i64 = (u * load<i32>(F) + v * load<i32>(G)) >> 30;
  let carryG: i64 = (q * load<i32>(F) + r * load<i32>(G)) >> 30;
  let anything: i32 = 0;
  for (let i: usize = 4; i <= top; i += 4) {
    const f: i64 = load<i32>(F + i), g: i64 = load<i32>(G + i);
    carryF += u * f + v * g;
    carryG += q * f + r * g;
    store<i32>(F + i - 4, <i32>carryF & MASK_30);
    store<i32>(G + i - 4, <i32>carryG & MASK_30);
    anything |= <i32>carryG & MASK_30;
    carryF >>= 30;
    carryG >>= 30;
  }
  store<i32>(F + top, <i32>carryF);
  store<i32>(G + top, <i32>carryG);
  return (anything | <i32>carryG) != 0;
}

/** Brings D into 0 … M - 1, after negating it if f is negative. */
function normalise(sign: i32): void {
  addModulusIfNegative();
  let carry: i32 = 0;
  for (let i: usize = 0; i < 4 * LIMBS_30; i += 4) {
    const limb: i32 = (load<i32>(D + i) ^ sign) - sign + carry;
    const isLast: bool = i == 4 * (LIMBS_30 - 1);
    carry = limb >> 30;
    store<i32>(D + i, isLast ? limb : limb & MASK_30);
  }
  addModulusIfNegative();
}

function addModulusIfNegative(): void {
  const negative: i32 = load<i32>(D + 4 * (LIMBS_30 - 1)) >> 31;
  let carry: i32 = 0;
  for (let i: usize = 0; i < 4 * LIMBS_30; i += 4) {
    const limb: i32 = load<i32>(D + i) + (load<i32>(M + i) & negative) + carry;
    const isLast: bool = i == 4 * (LIMBS_30 - 1);
    carry = limb >> 30;
    store<i32>(D + i, isLast ? limb : limb & MASK_30);
  }
}

function toLimbs30(to: usize, from: usize): void {
  for (let i: usize = 0; i < LIMBS_30; i++) store<u32>(to + 4 * i, bitsAt(from, <i32>(30 * i), 30));
}

function fromLimbs30(to: usize, from: usize): void {
  memory.fill(to, 0, SLOT);
  for (let i: usize = 0; i < LIMBS_30; i++) {
    const bit: usize = 30 * i;
    const at: usize = to + (bit >> 3);
    store<u64>(at, load<u64>(at) | (<u64>load<u32>(from + 4 * i) << <u64>(bit & 7)));
  }
}

@inline
function bitsAt(from: usize, bit: i32, count: i32): u32 {
  return <u32>((load<u64>(from + (bit >> 3)) >> <u64>(bit & 7)) & ((<u64>1 << <u64>count) - 1));
}

/**
 * Digits of the width-w non-adjacent form, 0 or odd below 2^(w-1), one of 16 bits for each bit of the number. Returns
 * their count up to the last that is not 0.
 */
function toDigits(number: usize, width: i32, to: usize): i32 {
  memory.fill(to, 0, 2 * (FIELD_BITS + 2));
  let carry: u32 = 0, bit: i32 = 0, count: i32 = 0;
  while (bit <= FIELD_BITS) {
    if (bitsAt(number, bit, 1) == carry) {
      bit++;
      continue;
    }
    const window: i32 = <i32>(bitsAt(number, bit, width) + carry);
    carry = (<u32>window >> (width - 1)) & 1;
    store<i16>(to + 2 * bit, <i16>(window - <i32>(carry << width)));
    count = bit + 1;
    bit += width;
  }
  return count;
}
