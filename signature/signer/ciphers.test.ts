import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decryptBlock, decryptRc2, expandedKey } from './rc2.ts'
import { decryptTripleDes, encryptTripleDes } from './triple-des.ts'

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('3DES', () => {
  test('encrypts the example block of SP 800-67 and its predecessor', () => {
    // the same key three times is plain DES: the well-known textbook example
    const key = bytes('133457799bbcdff1'.repeat(3))
    const hidden = encryptTripleDes(key, new Uint8Array(8), bytes('0123456789abcdef'))
    expect(Buffer.from(hidden.subarray(0, 8)).toString('hex')).toBe('85e813540f0ab405')
  })

  test.each([24, 16])('with a key of %i bytes encrypts like Node, and decrypts again', (length) => {
    const octets = (n: number) => fc.uint8Array({ minLength: n, maxLength: n })
    fc.assert(
      fc.property(octets(length), octets(8), fc.uint8Array({ maxLength: 100 }), (key, iv, plain) => {
        const cipher = createCipheriv(length === 24 ? 'des-ede3-cbc' : 'des-ede-cbc', key, iv)
        const expected = Buffer.concat([cipher.update(plain), cipher.final()])
        const hidden = encryptTripleDes(key, iv, plain)
        expect(Buffer.from(hidden).equals(expected)).toBe(true)
        expect(decryptTripleDes(key, iv, hidden)).toEqual(plain)
      }),
    )
  })

  test('does not decrypt bytes with wrong padding, or that are not whole blocks', () => {
    const key = new Uint8Array(24).fill(7)
    expect(decryptTripleDes(key, new Uint8Array(8), new Uint8Array(8))).toBe(null)
    expect(decryptTripleDes(key, new Uint8Array(8), new Uint8Array(9))).toBe(null)
    expect(decryptTripleDes(key, new Uint8Array(8), new Uint8Array())).toBe(null)
  })
})

describe('RC2', () => {
  test.each([
    ['0000000000000000', 63, '0000000000000000', 'ebb773f993278eff'],
    ['ffffffffffffffff', 64, 'ffffffffffffffff', '278b27e42e2f0d49'],
    ['3000000000000000', 64, '1000000000000001', '30649edf9be7d2c2'],
    ['88', 64, '0000000000000000', '61a8a244adacccf0'],
    ['88bca90e90875a', 64, '0000000000000000', '6ccf4308974c267f'],
    ['88bca90e90875a7f0f79c384627bafb2', 64, '0000000000000000', '1a807d272bbe5db1'],
    ['88bca90e90875a7f0f79c384627bafb2', 128, '0000000000000000', '2269552ab0f85ca6'],
  ])('RFC 2268: key %s of %i bits', (key, bits, plain, hidden) => {
    const block = bytes(hidden)
    const view = new DataView(block.buffer)
    const [left, right] = decryptBlock(expandedKey(bytes(key), bits), [view.getInt32(0), view.getInt32(4)])
    view.setInt32(0, left)
    view.setInt32(4, right)
    expect(Buffer.from(block).toString('hex')).toBe(plain)
  })

  test('does not decrypt bytes with wrong padding', () => {
    expect(decryptRc2(new Uint8Array(5), 40, new Uint8Array(8), new Uint8Array(8))).toBe(null)
  })
})
