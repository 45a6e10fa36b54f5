/** Decrypts RC2 (RFC 2268), which protects certificates in national key files with a 40-bit key. */
import { unchained, type Block } from './block-chain.ts'

/** Null: the padding is wrong. */
export function decryptRc2(
  key: Uint8Array,
  effectiveBits: number,
  iv: Uint8Array,
  hidden: Uint8Array,
): Uint8Array | null {
  const words = expandedKey(key, effectiveBits)
  return unchained(iv, hidden, (block) => decryptBlock(words, block))
}

/** The block is four words, each with its less significant byte first. */
export function decryptBlock(words: Uint16Array, [left, right]: Block): Block {
  const r = [swapped(left >>> 16), swapped(left), swapped(right >>> 16), swapped(right)]
  const before = (i: number, distance: number) => r[(i + 4 - distance) & 3]!
  let j = 63

  function mix(): void {
    for (let i = 3; i >= 0; i--) {
      const turned = (r[i]! >>> rotations[i]!) | (r[i]! << (16 - rotations[i]!))
      const chosen = (before(i, 1) & before(i, 2)) + (~before(i, 1) & before(i, 3))
      r[i] = ((turned & 0xffff) - words[j--]! - chosen) & 0xffff
    }
  }

  function mash(): void {
    for (let i = 3; i >= 0; i--) r[i] = (r[i]! - words[before(i, 1) & 63]!) & 0xffff
  }

  for (const [part, rounds] of [5, 6, 5].entries()) {
    if (part > 0) mash()
    for (let round = 0; round < rounds; round++) mix()
  }
  return [(swapped(r[0]!) << 16) | swapped(r[1]!), (swapped(r[2]!) << 16) | swapped(r[3]!)]
}

const rotations = [1, 2, 3, 5]

function swapped(word: number): number {
  return ((word & 0xff) << 8) | ((word >> 8) & 0xff)
}

export function expandedKey(key: Uint8Array, effectiveBits: number): Uint16Array {
  const bytes = new Uint8Array(128)
  bytes.set(key)
  for (let i = key.length; i < 128; i++) bytes[i] = table[(bytes[i - 1]! + bytes[i - key.length]!) & 255]!
  const effective = (effectiveBits + 7) >> 3
  const mask = 255 >> (8 * effective - effectiveBits)
  bytes[128 - effective] = table[bytes[128 - effective]! & mask]!
  for (let i = 127 - effective; i >= 0; i--) bytes[i] = table[bytes[i + 1]! ^ bytes[i + effective]!]!
  return Uint16Array.from({ length: 64 }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8))
}

/** The permutation of bytes of RFC 2268, derived from the digits of pi. */
const digits = [
  'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2',
  '179a59f587b34f1361456d8d09817d32bd8f40eb86b77b0bf09521225c6b4e82',
  '54d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626',
  '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed7',
  '08e8eade8052eef784aa72ac354d6a2a961ad2715a1549744b9fd05e0418a4ec',
  'c2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731',
  '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a9',
  '0d38341bab33ffb0bb480c5fb9b1cd2ec5f3db47e5a59c770aa62068fe7fc1ad',
].join('')
const table = Uint8Array.from({ length: 256 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16))
