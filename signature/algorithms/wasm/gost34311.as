// GOST 34.311-95 = GOST R 34.11-94 (RFC 5831), with the substitution as a parameter: Kazakhstan uses the test set,
// Russia the set of CryptoPro.
//
// The four encryptions of a step do not depend on each other and run interleaved, so that the processor has four
// chains of table look-ups to work on at once.

/** Substitutions, row by row; the first row replaces the least significant nibble. */
const TEST_SET: usize = memory.data<u8>([
  0x4, 0xa, 0x9, 0x2, 0xd, 0x8, 0x0, 0xe, 0x6, 0xb, 0x1, 0xc, 0x7, 0xf, 0x5, 0x3,
  0xe, 0xb, 0x4, 0xc, 0x6, 0xd, 0xf, 0xa, 0x2, 0x3, 0x8, 0x1, 0x0, 0x7, 0x5, 0x9,
  0x5, 0x8, 0x1, 0xd, 0xa, 0x3, 0x4, 0x2, 0xe, 0xf, 0xc, 0x7, 0x6, 0x0, 0x9, 0xb,
  0x7, 0xd, 0xa, 0x1, 0x0, 0x8, 0x9, 0xf, 0xe, 0x4, 0x6, 0xc, 0xb, 0x2, 0x5, 0x3,
  0x6, 0xc, 0x7, 0x1, 0x5, 0xf, 0xd, 0x8, 0x4, 0xa, 0x9, 0xe, 0x0, 0x3, 0xb, 0x2,
  0x4, 0xb, 0xa, 0x0, 0x7, 0x2, 0x1, 0xd, 0x3, 0x6, 0x8, 0x5, 0x9, 0xc, 0xf, 0xe,
  0xd, 0xb, 0x4, 0x1, 0x3, 0xf, 0x5, 0x9, 0x0, 0xa, 0xe, 0x7, 0x6, 0x8, 0x2, 0xc,
  0x1, 0xf, 0xd, 0x0, 0x5, 0x7, 0xa, 0x4, 0x9, 0x2, 0x3, 0xe, 0x6, 0xb, 0x8, 0xc,
]);
const CRYPTOPRO_SET: usize = memory.data<u8>([
  0xa, 0x4, 0x5, 0x6, 0x8, 0x1, 0x3, 0x7, 0xd, 0xc, 0xe, 0x0, 0x9, 0x2, 0xb, 0xf,
  0x5, 0xf, 0x4, 0x0, 0x2, 0xd, 0xb, 0x9, 0x1, 0x7, 0x6, 0x3, 0xc, 0xe, 0xa, 0x8,
  0x7, 0xf, 0xc, 0xe, 0x9, 0x4, 0x1, 0x0, 0x3, 0xb, 0x5, 0x2, 0x6, 0xa, 0x8, 0xd,
  0x4, 0xa, 0x7, 0xc, 0x0, 0xf, 0x2, 0x8, 0xe, 0x1, 0x6, 0x5, 0xd, 0xb, 0x9, 0x3,
  0x7, 0x6, 0x4, 0xb, 0x9, 0xc, 0x2, 0xa, 0x1, 0x8, 0x0, 0xe, 0xf, 0xd, 0x3, 0x5,
  0x7, 0x6, 0x2, 0x4, 0xd, 0x9, 0xf, 0x0, 0xa, 0x1, 0x5, 0xb, 0x8, 0xe, 0xc, 0x3,
  0xd, 0xe, 0x4, 0x1, 0x7, 0x0, 0x5, 0xa, 0x3, 0xc, 0x8, 0xf, 0x6, 0x2, 0x9, 0xb,
  0x1, 0x3, 0xa, 0x9, 0x5, 0xb, 0x4, 0xf, 0x8, 0x6, 0x7, 0xe, 0xd, 0x0, 0x2, 0xc,
]);

/** For each set and each byte of a word: substitution and rotation by 11 bits as one look-up. */
const TABLES: usize = memory.data(2 * 4096, 64);

/** The state of one stream: h, Σ, the unfinished block, the length in bytes, the fill, the set. */
const H: usize = memory.data(3 * 32 + 16, 16);
const SIGMA: usize = H + 32;
const BLOCK: usize = H + 64;
const LENGTH: usize = H + 96;
const FILLED: usize = H + 104;
const IS_CRYPTOPRO: usize = H + 108;

/** Four keys of 256 bits. */
const KEYS: usize = memory.data(128, 64);
const LENGTH_BLOCK: usize = memory.data(32, 16);
const INPUT: usize = memory.data(65536, 64);

export const state: usize = H;
export const stateSize: i32 = 3 * 32 + 16;
export const input: usize = INPUT;
export const inputSize: i32 = 65536;

fillTables(TABLES, TEST_SET);
fillTables(TABLES + 4096, CRYPTOPRO_SET);

function fillTables(to: usize, rows: usize): void {
  for (let place: usize = 0; place < 4; place++) {
    for (let byte: usize = 0; byte < 256; byte++) {
      const low: u32 = load<u8>(rows + 32 * place + (byte & 15));
      const high: u32 = load<u8>(rows + 32 * place + 16 + (byte >> 4));
      const word: u32 = ((high << 4) | low) << <u32>(8 * place);
      store<u32>(to + 1024 * place + 4 * byte, rotl<u32>(word, 11));
    }
  }
}

export function init(isCryptoPro: i32): void {
  memory.fill(H, 0, 3 * 32 + 16);
  store<i32>(IS_CRYPTOPRO, isCryptoPro);
}

/** Takes the first `length` bytes of the input area. */
export function update(length: i32): void {
  let from: usize = INPUT;
  let left: i32 = length;
  let filled: i32 = load<i32>(FILLED);
  store<u64>(LENGTH, load<u64>(LENGTH) + <u64>length);
  if (filled) {
    const taken: i32 = min(32 - filled, left);
    memory.copy(BLOCK + filled, from, taken);
    filled += taken;
    from += taken;
    left -= taken;
    if (filled == 32) {
      takeBlock(BLOCK);
      filled = 0;
    }
  }
  while (left >= 32) {
    takeBlock(from);
    from += 32;
    left -= 32;
  }
  if (left) {
    memory.copy(BLOCK, from, left);
    filled = left;
  }
  store<i32>(FILLED, filled);
}

/** Ends the stream and returns the address of the digest. */
export function digest(): usize {
  const filled: i32 = load<i32>(FILLED);
  if (filled) {
    memory.fill(BLOCK + filled, 0, 32 - filled);
    takeBlock(BLOCK);
  }
  memory.fill(LENGTH_BLOCK, 0, 32);
  store<u64>(LENGTH_BLOCK, load<u64>(LENGTH) * 8);
  step(LENGTH_BLOCK);
  step(SIGMA);
  return H;
}

function takeBlock(block: usize): void {
  step(block);
  let carry: u64 = 0;
  for (let i: usize = 0; i < 32; i += 8) {
    const term: u64 = load<u64>(SIGMA + i);
    const sum: u64 = term + load<u64>(block + i);
    const carried: u64 = sum + carry;
    carry = <u64>(sum < term || carried < sum);
    store<u64>(SIGMA + i, carried);
  }
}

/** h = χ(m, h): keys, encryption, mixing (RFC 5831, 5). */
function step(m: usize): void {
  makeKeys(m);
  const tables: usize = TABLES + 4096 * <usize>load<i32>(IS_CRYPTOPRO);
  let a0: u32 = load<u32>(H, 0), b0: u32 = load<u32>(H, 4);
  let a1: u32 = load<u32>(H, 8), b1: u32 = load<u32>(H, 12);
  let a2: u32 = load<u32>(H, 16), b2: u32 = load<u32>(H, 20);
  let a3: u32 = load<u32>(H, 24), b3: u32 = load<u32>(H, 28);
  for (let round: usize = 0; round < 24; round += 2) {
    const key: usize = KEYS + 4 * (round & 7);
    b0 ^= substituted(tables, a0 + load<u32>(key, 0));
    b1 ^= substituted(tables, a1 + load<u32>(key, 32));
    b2 ^= substituted(tables, a2 + load<u32>(key, 64));
    b3 ^= substituted(tables, a3 + load<u32>(key, 96));
    a0 ^= substituted(tables, b0 + load<u32>(key, 4));
    a1 ^= substituted(tables, b1 + load<u32>(key, 36));
    a2 ^= substituted(tables, b2 + load<u32>(key, 68));
    a3 ^= substituted(tables, b3 + load<u32>(key, 100));
  }
  // the last eight rounds take the key backwards
  for (let key: usize = KEYS + 24; key >= KEYS; key -= 8) {
    b0 ^= substituted(tables, a0 + load<u32>(key, 4));
    b1 ^= substituted(tables, a1 + load<u32>(key, 36));
    b2 ^= substituted(tables, a2 + load<u32>(key, 68));
    b3 ^= substituted(tables, a3 + load<u32>(key, 100));
    a0 ^= substituted(tables, b0 + load<u32>(key, 0));
    a1 ^= substituted(tables, b1 + load<u32>(key, 32));
    a2 ^= substituted(tables, b2 + load<u32>(key, 64));
    a3 ^= substituted(tables, b3 + load<u32>(key, 96));
  }
  mix(m, word(b0, a0), word(b1, a1), word(b2, a2), word(b3, a3));
}

@inline
function word(low: u32, high: u32): u64 {
  return <u64>low | (<u64>high << 32);
}

@inline
function substituted(tables: usize, x: u32): u32 {
  return (
    load<u32>(tables + ((x << 2) & 0x3fc)) ^
    load<u32>(tables + ((x >> 6) & 0x3fc), 1024) ^
    load<u32>(tables + ((x >> 14) & 0x3fc), 2048) ^
    load<u32>(tables + ((x >> 22) & 0x3fc), 3072)
  );
}

function makeKeys(m: usize): void {
  let u0: u64 = load<u64>(H, 0), u1: u64 = load<u64>(H, 8), u2: u64 = load<u64>(H, 16), u3: u64 = load<u64>(H, 24);
  let v0: u64 = load<u64>(m, 0), v1: u64 = load<u64>(m, 8), v2: u64 = load<u64>(m, 16), v3: u64 = load<u64>(m, 24);
  putKey(KEYS, u0 ^ v0, u1 ^ v1, u2 ^ v2, u3 ^ v3);
  for (let i: usize = 1; i < 4; i++) {
    const first: u64 = u0 ^ u1;
    u0 = u1;
    u1 = u2;
    u2 = u3;
    u3 = first;
    if (i == 2) {
      u0 ^= 0xff00ff00ff00ff00;
      u1 ^= 0x00ff00ff00ff00ff;
      u2 ^= 0xff0000ff00ffff00;
      u3 ^= 0xff00ffff000000ff;
    }
    // A twice: (v0, v1, v2, v3) → (v2, v3, v0 ⊕ v1, v1 ⊕ v2)
    const third: u64 = v0 ^ v1;
    const fourth: u64 = v1 ^ v2;
    v0 = v2;
    v1 = v3;
    v2 = third;
    v3 = fourth;
    putKey(KEYS + 32 * i, u0 ^ v0, u1 ^ v1, u2 ^ v2, u3 ^ v3);
  }
}

/** The transposition P: word k of the key is made of byte k of each of the four words. */
@inline
function putKey(to: usize, a: u64, b: u64, c: u64, d: u64): void {
  const ab: v128 = i64x2.replace_lane(i64x2.splat(a), 1, b);
  const cd: v128 = i64x2.replace_lane(i64x2.splat(c), 1, d);
  const bytesAB: v128 = v128.shuffle<i8>(ab, ab, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  const bytesCD: v128 = v128.shuffle<i8>(cd, cd, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  v128.store(to, v128.shuffle<i16>(bytesAB, bytesCD, 0, 8, 1, 9, 2, 10, 3, 11), 0);
  v128.store(to, v128.shuffle<i16>(bytesAB, bytesCD, 4, 12, 5, 13, 6, 14, 7, 15), 16);
}

/**
 * h = ψ^61(h ⊕ ψ(m ⊕ ψ^12(s))). ψ shifts 16 words of 16 bits by one and appends the sum of the words 0, 1, 2, 3, 12
 * and 15. Four steps are made at once: all terms but the last stand in the old words, and the last is the word
 * before, so the four sums chain by a running XOR.
 */
function mix(m: usize, s0: u64, s1: u64, s2: u64, s3: u64): void {
  for (let i = 0; i < 3; i++) {
    const next: u64 = fourSteps(s0, s1, s3);
    s0 = s1;
    s1 = s2;
    s2 = s3;
    s3 = next;
  }
  s0 ^= load<u64>(m, 0);
  s1 ^= load<u64>(m, 8);
  s2 ^= load<u64>(m, 16);
  s3 ^= load<u64>(m, 24);
  let appended: u64 = fourSteps(s0, s1, s3);
  s0 = ((s0 >> 16) | (s1 << 48)) ^ load<u64>(H, 0);
  s1 = ((s1 >> 16) | (s2 << 48)) ^ load<u64>(H, 8);
  s2 = ((s2 >> 16) | (s3 << 48)) ^ load<u64>(H, 16);
  s3 = ((s3 >> 16) | (appended << 48)) ^ load<u64>(H, 24);
  for (let i = 0; i < 15; i++) {
    const next: u64 = fourSteps(s0, s1, s3);
    s0 = s1;
    s1 = s2;
    s2 = s3;
    s3 = next;
  }
  appended = fourSteps(s0, s1, s3);
  store<u64>(H, (s0 >> 16) | (s1 << 48), 0);
  store<u64>(H, (s1 >> 16) | (s2 << 48), 8);
  store<u64>(H, (s2 >> 16) | (s3 << 48), 16);
  store<u64>(H, (s3 >> 16) | (appended << 48), 24);
}

@inline
function fourSteps(s0: u64, s1: u64, s3: u64): u64 {
  let sum: u64 = s0 ^ ((s0 >> 16) | (s1 << 48)) ^ ((s0 >> 32) | (s1 << 32)) ^ ((s0 >> 48) | (s1 << 16)) ^ s3;
  sum ^= sum << 16;
  sum ^= sum << 32;
  return sum ^ ((s3 >> 48) * 0x0001000100010001);
}
