/** Triple DES (FIPS 46-3, SP 800-67) in CBC mode. Key files still use it, and WebCrypto does not support it. */
import { chained, unchained, type Block } from './block-chain.ts'

/** A key of 24 bytes, or 16 where the third part equals the first. */
export function encryptTripleDes(
  key: Uint8Array,
  iv: Uint8Array,
  plain: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const [one, two, three] = schedulesOf(key)
  return chained(iv, plain, (block) => throughThree(block, [one, two.toReversed(), three]))
}

/** Null: the padding is wrong, because of another key or damaged bytes. */
export function decryptTripleDes(key: Uint8Array, iv: Uint8Array, hidden: Uint8Array): Uint8Array | null {
  const [one, two, three] = schedulesOf(key)
  return unchained(iv, hidden, (block) => throughThree(block, [three.toReversed(), two, one.toReversed()]))
}

type Schedule = number[][]

function schedulesOf(key: Uint8Array): [Schedule, Schedule, Schedule] {
  const one = scheduleOf(key.subarray(0, 8))
  return [one, scheduleOf(key.subarray(8, 16)), key.length === 16 ? one : scheduleOf(key.subarray(16, 24))]
}

/** Between the three passes the final and the initial permutation cancel out, so only the outer two are applied. */
function throughThree(block: Block, schedules: Schedule[]): Block {
  let [left, right] = permuted(block, initial)
  for (const schedule of schedules) {
    for (const roundKey of schedule) [left, right] = [right, left ^ mixed(right, roundKey)]
    // the last round does not swap
    ;[left, right] = [right, left]
  }
  return permuted([left, right], final)
}

/** Each S-box gets four bits of the half, with one neighbouring bit on each side. */
function mixed(half: number, roundKey: number[]): number {
  let result = 0
  for (let box = 0; box < 8; box++) {
    const turn = (4 * box + 5) & 31
    const six = ((half << turn) | (half >>> (32 - turn))) & 63
    result ^= substitutions[box]![six ^ roundKey[box]!]!
  }
  return result
}

/** Sixteen round keys, each as eight groups of six bits. */
function scheduleOf(key: Uint8Array): Schedule {
  const bits = keyChoice.map((position) => bitOf(key, position))
  let [c, d] = [bits.slice(0, 28), bits.slice(28)]
  return rotations.map((count) => {
    c = [...c.slice(count), ...c.slice(0, count)]
    d = [...d.slice(count), ...d.slice(0, count)]
    const both = [...c, ...d]
    const chosen = roundChoice.map((position) => both[position - 1]!)
    return Array.from({ length: 8 }, (_, box) => numberOf(chosen.slice(6 * box, 6 * box + 6)))
  })
}

function bitOf(bytes: Uint8Array, position: number): number {
  return (bytes[(position - 1) >> 3]! >> (7 - ((position - 1) & 7))) & 1
}

function numberOf(bits: number[]): number {
  return bits.reduce((number, bit) => (number << 1) | bit, 0)
}

function permuted([left, right]: Block, table: readonly number[]): Block {
  const result: Block = [0, 0]
  for (const [i, position] of table.entries()) {
    const half = position <= 32 ? left : right
    const bit = (half >>> ((32 - position) & 31)) & 1
    result[i >> 5]! |= bit << (31 - (i & 31))
  }
  return result
}

// the tables of the standard; positions count from 1, the most significant bit first
const initial = [58, 60, 62, 64, 57, 59, 61, 63].flatMap((start) =>
  Array.from({ length: 8 }, (_, i) => start - 8 * i),
)
const final = Array.from({ length: 64 }, (_, i) => initial.indexOf(i + 1) + 1)
const rotations = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]
const keyChoice = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
  63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
]
const roundChoice = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
  55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
]
const spread = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22,
  11, 4, 25,
]
const boxes = [
  'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
  'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
  'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
  '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
  '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
  'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
  '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
  'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b',
]

/** For each box and six input bits: the four output bits of the box, permuted to their places in the half. */
const substitutions = boxes.map((box, index) =>
  Array.from({ length: 64 }, (_, six) => {
    const row = ((six >> 4) & 2) | (six & 1)
    const four = Number.parseInt(box[16 * row + ((six >> 1) & 15)]!, 16)
    const half = four << (28 - 4 * index)
    return spread.reduce((result, position, i) => result | (((half >>> (32 - position)) & 1) << (31 - i)), 0)
  }),
)
