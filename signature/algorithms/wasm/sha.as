// SHA-1, SHA-256, SHA-384 and SHA-512 (FIPS 180-4), streaming.

const K256: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);
const K512: usize = memory.data<u64>([
  0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
  0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
  0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
  0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
  0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
  0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
  0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
  0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
  0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
  0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
  0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
  0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
  0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
  0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
  0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
  0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
  0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
  0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
  0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
  0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
]);

const SHA1: i32 = 0;
const SHA256: i32 = 1;
const SHA384: i32 = 2;

/** The state of one stream: the chaining value, the unfinished block, the length in bytes, the fill, the kind. */
const H: usize = memory.data(64 + 128 + 16, 64);
const BLOCK: usize = H + 64;
const LENGTH: usize = H + 192;
const FILLED: usize = H + 200;
const KIND: usize = H + 204;

const SCHEDULE: usize = memory.data(80 * 8, 64);
const DIGEST: usize = memory.data(64, 64);
const INPUT: usize = memory.data(65536, 64);

export const state: usize = H;
export const stateSize: i32 = 64 + 128 + 16;
export const input: usize = INPUT;
export const inputSize: i32 = 65536;

const INITIAL_1: usize = memory.data<u32>([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0, 0, 0, 0]);
const INITIAL_256: usize = memory.data<u32>([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);
const INITIAL_384: usize = memory.data<u64>([
  0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
  0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
]);
const INITIAL_512: usize = memory.data<u64>([
  0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
  0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
]);

export function init(kind: i32): void {
  memory.fill(H, 0, 64 + 128 + 16);
  if (kind == SHA1) memory.copy(H, INITIAL_1, 32);
  else if (kind == SHA256) memory.copy(H, INITIAL_256, 32);
  else memory.copy(H, kind == SHA384 ? INITIAL_384 : INITIAL_512, 64);
  store<i32>(KIND, kind);
}

/** Takes the first `length` bytes of the input area. */
export function update(length: i32): void {
  const size: i32 = load<i32>(KIND) <= SHA256 ? 64 : 128;
  let from: usize = INPUT;
  let left: i32 = length;
  let filled: i32 = load<i32>(FILLED);
  store<u64>(LENGTH, load<u64>(LENGTH) + <u64>length);
  if (filled) {
    const taken: i32 = min(size - filled, left);
    memory.copy(BLOCK + filled, from, taken);
    filled += taken;
    from += taken;
    left -= taken;
    if (filled == size) {
      compress(BLOCK);
      filled = 0;
    }
  }
  while (left >= size) {
    compress(from);
    from += size;
    left -= size;
  }
  if (left) {
    memory.copy(BLOCK, from, left);
    filled = left;
  }
  store<i32>(FILLED, filled);
}

/** Ends the stream and returns the address of the digest. */
export function digest(): usize {
  const isShort: bool = load<i32>(KIND) <= SHA256;
  const size: i32 = isShort ? 64 : 128;
  let filled: i32 = load<i32>(FILLED);
  store<u8>(BLOCK + filled, 0x80);
  filled++;
  if (filled > size - (isShort ? 8 : 16)) {
    memory.fill(BLOCK + filled, 0, size - filled);
    compress(BLOCK);
    filled = 0;
  }
  memory.fill(BLOCK + filled, 0, size - filled);
  store<u64>(BLOCK + size - 8, bswap<u64>(load<u64>(LENGTH) * 8));
  compress(BLOCK);
  for (let i: usize = 0; i < 8; i++) {
    if (isShort) store<u32>(DIGEST + 4 * i, bswap<u32>(load<u32>(H + 4 * i)));
    else store<u64>(DIGEST + 8 * i, bswap<u64>(load<u64>(H + 8 * i)));
  }
  return DIGEST;
}

function compress(block: usize): void {
  const kind: i32 = load<i32>(KIND);
  if (kind == SHA1) compress1(block);
  else if (kind == SHA256) compress256(block);
  else compress512(block);
}

function compress1(block: usize): void {
  for (let t: usize = 0; t < 16; t++) store<u32>(SCHEDULE + 4 * t, bswap<u32>(load<u32>(block + 4 * t)));
  for (let w: usize = SCHEDULE; w < SCHEDULE + 4 * 64; w += 4) {
    store<u32>(w, rotl<u32>(load<u32>(w, 52) ^ load<u32>(w, 32) ^ load<u32>(w, 8) ^ load<u32>(w), 1), 64);
  }
  let a: u32 = load<u32>(H, 0), b: u32 = load<u32>(H, 4), c: u32 = load<u32>(H, 8), d: u32 = load<u32>(H, 12);
  let e: u32 = load<u32>(H, 16);
  for (let t: usize = 0; t < 80; t++) {
    let mixed: u32;
    if (t < 20) mixed = (d ^ (b & (c ^ d))) + 0x5a827999;
    else if (t < 40) mixed = (b ^ c ^ d) + 0x6ed9eba1;
    else if (t < 60) mixed = ((b & c) | (d & (b | c))) + 0x8f1bbcdc;
    else mixed = (b ^ c ^ d) + 0xca62c1d6;
    const next: u32 = rotl<u32>(a, 5) + mixed + e + load<u32>(SCHEDULE + 4 * t);
    e = d;
    d = c;
    c = rotl<u32>(b, 30);
    b = a;
    a = next;
  }
  store<u32>(H, load<u32>(H, 0) + a, 0);
  store<u32>(H, load<u32>(H, 4) + b, 4);
  store<u32>(H, load<u32>(H, 8) + c, 8);
  store<u32>(H, load<u32>(H, 12) + d, 12);
  store<u32>(H, load<u32>(H, 16) + e, 16);
}

function compress256(block: usize): void {
  for (let t: usize = 0; t < 16; t++) store<u32>(SCHEDULE + 4 * t, bswap<u32>(load<u32>(block + 4 * t)));
  for (let w: usize = SCHEDULE; w < SCHEDULE + 4 * 48; w += 4) {
    const early: u32 = load<u32>(w, 4), late: u32 = load<u32>(w, 56);
    const s0: u32 = rotr<u32>(early, 7) ^ rotr<u32>(early, 18) ^ (early >> 3);
    const s1: u32 = rotr<u32>(late, 17) ^ rotr<u32>(late, 19) ^ (late >> 10);
    store<u32>(w, load<u32>(w) + s0 + load<u32>(w, 36) + s1, 64);
  }
  let a: u32 = load<u32>(H, 0), b: u32 = load<u32>(H, 4), c: u32 = load<u32>(H, 8), d: u32 = load<u32>(H, 12);
  let e: u32 = load<u32>(H, 16), f: u32 = load<u32>(H, 20), g: u32 = load<u32>(H, 24), h: u32 = load<u32>(H, 28);
  for (let t: usize = 0; t < 64 * 4; t += 4) {
    const s1: u32 = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
    const t1: u32 = h + s1 + (g ^ (e & (f ^ g))) + load<u32>(K256 + t) + load<u32>(SCHEDULE + t);
    const s0: u32 = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22);
    const t2: u32 = s0 + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  store<u32>(H, load<u32>(H, 0) + a, 0);
  store<u32>(H, load<u32>(H, 4) + b, 4);
  store<u32>(H, load<u32>(H, 8) + c, 8);
  store<u32>(H, load<u32>(H, 12) + d, 12);
  store<u32>(H, load<u32>(H, 16) + e, 16);
  store<u32>(H, load<u32>(H, 20) + f, 20);
  store<u32>(H, load<u32>(H, 24) + g, 24);
  store<u32>(H, load<u32>(H, 28) + h, 28);
}

function compress512(block: usize): void {
  for (let t: usize = 0; t < 16; t++) store<u64>(SCHEDULE + 8 * t, bswap<u64>(load<u64>(block + 8 * t)));
  for (let w: usize = SCHEDULE; w < SCHEDULE + 8 * 64; w += 8) {
    const early: u64 = load<u64>(w, 8), late: u64 = load<u64>(w, 112);
    const s0: u64 = rotr<u64>(early, 1) ^ rotr<u64>(early, 8) ^ (early >> 7);
    const s1: u64 = rotr<u64>(late, 19) ^ rotr<u64>(late, 61) ^ (late >> 6);
    store<u64>(w, load<u64>(w) + s0 + load<u64>(w, 72) + s1, 128);
  }
  let a: u64 = load<u64>(H, 0), b: u64 = load<u64>(H, 8), c: u64 = load<u64>(H, 16), d: u64 = load<u64>(H, 24);
  let e: u64 = load<u64>(H, 32), f: u64 = load<u64>(H, 40), g: u64 = load<u64>(H, 48), h: u64 = load<u64>(H, 56);
  for (let t: usize = 0; t < 80 * 8; t += 8) {
    const s1: u64 = rotr<u64>(e, 14) ^ rotr<u64>(e, 18) ^ rotr<u64>(e, 41);
    const t1: u64 = h + s1 + (g ^ (e & (f ^ g))) + load<u64>(K512 + t) + load<u64>(SCHEDULE + t);
    const s0: u64 = rotr<u64>(a, 28) ^ rotr<u64>(a, 34) ^ rotr<u64>(a, 39);
    const t2: u64 = s0 + ((a & b) | (c & (a | b)));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  store<u64>(H, load<u64>(H, 0) + a, 0);
  store<u64>(H, load<u64>(H, 8) + b, 8);
  store<u64>(H, load<u64>(H, 16) + c, 16);
  store<u64>(H, load<u64>(H, 24) + d, 24);
  store<u64>(H, load<u64>(H, 32) + e, 32);
  store<u64>(H, load<u64>(H, 40) + f, 40);
  store<u64>(H, load<u64>(H, 48) + g, 48);
  store<u64>(H, load<u64>(H, 56) + h, 56);
}
