import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { isEd25519Key, verifyByNumbers, verifyEd25519 } from './ed25519.ts'

/** RFC 8032, 7.1: key, message, signature. */
const vectors = [
  [
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
] as const
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'))

test.each(vectors)('the test vector of the key %s', (key, message, signature) => {
  expect(verifyByNumbers(bytes(key), bytes(message), bytes(signature))).toBe(true)
  expect(verifyByNumbers(bytes(key), bytes(`${message}00`), bytes(signature))).toBe(false)
})

test('signatures by Node are valid by WebCrypto and without it; with any bit flipped they are not', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  const message = new TextEncoder().encode('Келісім')
  const signature = new Uint8Array(sign(null, message, privateKey))
  const flipped = (all: Uint8Array, bit: number) =>
    all.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
  const holdsEverywhere = async () => {
    expect(await verifyEd25519(spki, message, signature)).toBe(true)
    for (const bit of [0, 200, 255, 256, 400, 511]) {
      expect(await verifyEd25519(spki, message, flipped(signature, bit))).toBe(false)
    }
    expect(await verifyEd25519(spki, flipped(message, 3), signature)).toBe(false)
    expect(await verifyEd25519(flipped(spki, 8 * 20), message, signature)).toBe(false)
  }
  await holdsEverywhere()
  const without = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('no such curve'))
  await holdsEverywhere()
  without.mockRestore()
})

test('a number beyond the order, and a point in another encoding, are refused', () => {
  const [key, message, signature] = vectors[0]
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const s =
    bytes(signature)
      .slice(32)
      .reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order
  const beyond = Uint8Array.from({ length: 32 }, (_, i) => Number((s >> BigInt(8 * i)) & 255n))
  const forged = new Uint8Array([...bytes(signature).slice(0, 32), ...beyond])
  expect(verifyByNumbers(bytes(key), bytes(message), forged)).toBe(false)
  expect(verifyByNumbers(new Uint8Array(32).fill(0xff), bytes(message), bytes(signature))).toBe(false)
})

test('a key of another kind is not accepted', async () => {
  const { publicKey } = generateKeyPairSync('x25519')
  const spki = new Uint8Array(publicKey.export({ type: 'spki', format: 'der' }))
  expect(isEd25519Key(spki)).toBe(false)
  expect(await verifyEd25519(spki, new Uint8Array(), new Uint8Array(64))).toBe(false)
})
