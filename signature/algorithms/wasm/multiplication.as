// u·G + v·Q, both at once (Strauss): one chain of doublings; digits of u are looked up among odd multiples of G
// (affine, computed once for the curve), digits of v among odd multiples of Q (computed anew each time).
//
// The addition formulas do not handle equal or opposite points: they give Z = 0, which stays 0 from then on. The
// caller detects this and verifies in another way.

const BASE_WIDTH: i32 = 9;
const POINT_WIDTH: i32 = 5;
const BASE_COUNT: usize = 128;
const POINT_COUNT: usize = 8;

const BASE_TABLE: usize = memory.data(128 * AFFINE_SIZE, 16);
const POINT_TABLE: usize = memory.data(8 * ENTRY_SIZE, 16);
const TWICE: usize = memory.data(ENTRY_SIZE, 16);
const POINT: usize = memory.data(AFFINE_SIZE, 16);
const BASE_DIGITS: usize = memory.data(2 * 528, 16);
const POINT_DIGITS: usize = memory.data(2 * 528, 16);

/** Where the coordinates of the result are put: a signed word for each limb. */
const LIMBS: usize = memory.data(8 * 20, 16);
export const limbs: usize = LIMBS;
export const limbCount: i32 = LIMB_COUNT;
export const limbWidth: i32 = LIMB_WIDTH;
export const baseCount: i32 = <i32>BASE_COUNT;

/** Slots 0 and 1: the odd multiple (2·index + 1)·G. */
export function putBase(index: i32): void {
  takePoint(BASE_TABLE + <usize>index * AFFINE_SIZE);
}

/** Slots 0 and 1: Q, slots 2 and 3: u and v. False where both are 0. */
export function multiply(): bool {
  const baseLength: i32 = toDigits(SLOTS + 2 * SLOT, BASE_WIDTH, BASE_DIGITS);
  const pointLength: i32 = toDigits(SLOTS + 3 * SLOT, POINT_WIDTH, POINT_DIGITS);
  takePoint(POINT);
  fillPointTable();
  let isEmpty: bool = true;
  for (let i: i32 = max(baseLength, pointLength) - 1; i >= 0; i--) {
    if (!isEmpty) double();
    const pointDigit: i32 = load<i16>(POINT_DIGITS + 2 * i);
    if (pointDigit) {
      const entry: usize = POINT_TABLE + <usize>(abs<i32>(pointDigit) >> 1) * ENTRY_SIZE;
      if (isEmpty) loadEntry(entry, pointDigit < 0);
      else addEntry(entry, pointDigit < 0);
      isEmpty = false;
    }
    const baseDigit: i32 = load<i16>(BASE_DIGITS + 2 * i);
    if (baseDigit) {
      const entry: usize = BASE_TABLE + <usize>(abs<i32>(baseDigit) >> 1) * AFFINE_SIZE;
      if (isEmpty) loadAffine(entry, baseDigit < 0);
      else addAffine(entry, baseDigit < 0);
      isEmpty = false;
    }
  }
  return !isEmpty;
}

/** Q, 3Q, 5Q … 15Q. */
function fillPointTable(): void {
  loadAffine(POINT, false);
  storeEntry(POINT_TABLE);
  double();
  storeEntry(TWICE);
  loadEntry(POINT_TABLE, false);
  for (let i: usize = 1; i < POINT_COUNT; i++) {
    addEntry(TWICE, false);
    storeEntry(POINT_TABLE + i * ENTRY_SIZE);
  }
}
