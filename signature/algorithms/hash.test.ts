import { createHash as nodeHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHash, digestLength, hash, hashNames, type HashName } from './hash.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const reversed = (text: string) => hex(Uint8Array.from(Buffer.from(text, 'hex')).toReversed())
const text = (value: string) => new TextEncoder().encode(value)

describe('examples of the standards', () => {
  const m1 = text('012345678901234567890123456789012345678901234567890123456789012')
  // RFC 6986 prints messages and digests as numbers: most significant byte first.
  const m2 = Buffer.from(
    reversed(
      'fbe2e5f0eee3c820fbeafaebef20fffbf0e1e0f0f520e0ed20e8ece0ebe5f0f2f120fff0eeec20f120faf2fee5e2202ce8f6f3ede220e8e6eee1e8f0f2d1202ce8f0f2e5e220e5d1',
    ),
    'hex',
  )

  test.each([
    [
      'streebog-512',
      m1,
      '486f64c1917879417fef082b3381a4e211c324f074654c38823a7b76f830ad00fa1fbae42b1285c0352f227524bc9ab16254288dd6863dccd5b9f54a1ad0541b',
    ],
    ['streebog-256', m1, '00557be5e584fd52a449b16b0251d05d27f94ab76cbaa6da890b59d8ef1e159d'],
    [
      'streebog-512',
      m2,
      '28fbc9bada033b1460642bdcddb90c3fb3e56c497ccd0f62b8a2ad4935e85f037613966de4ee00531ae60f3b5a47f8dae06915d5f2f194996fcabf2622e6881e',
    ],
    ['streebog-256', m2, '508f7e553c06501d749a66fc28c6cac0b005746d97537fa85d9e40904efed29d'],
  ] as [HashName, Uint8Array, string][])('%s of RFC 6986, 10', (name, message, printed) => {
    expect(hex(hash(name, message))).toBe(reversed(printed))
  })

  test.each([
    ['gost-34.311', '', 'ce85b99cc46752fffee35cab9a7b0278abb4c2d2055cff685af4912c49490f8d'],
    ['gost-34.311', 'abc', 'f3134348c44fb1b2a277729e2285ebb5cb5e0f29c975bc753b70497c06a4d51d'],
    [
      'gost-34.311',
      'This is message, length=32 bytes',
      'b1c466d37519b82e8319819ff32595e047a28cb6f83eff1c6916a815a637fffa',
    ],
    [
      'gost-34.311',
      'Suppose the original message has length = 50 bytes',
      '471aba57a60a770d3a76130635c1fbea4ef14de51f78b4ae57dd893b62f55208',
    ],
    ['gost-34.11-94', '', '981e5f3ca30c841487830f84fb433e13ac1101569b9c13584ac483234cd656c0'],
    ['gost-34.11-94', 'abc', 'b285056dbf18d7392d7677369524dd14747459ed8143997e163b2986f92fd42c'],
  ] as [HashName, string, string][])('%s of “%s”', (name, message, digest) => {
    expect(hex(hash(name, text(message)))).toBe(digest)
  })
})

test('digests agree with those of OpenSSL', () => {
  const file = join(import.meta.dirname, '..', 'fixtures', 'gost', 'digests.json')
  const { cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    cases: { hash: HashName; length: number; digest: string }[]
  }
  const message = (length: number) => Uint8Array.from({ length }, (_, i) => (i * i + length) % 251)
  const ours = cases.map(({ hash: name, length }) => hex(hash(name, message(length))))
  expect(ours).toEqual(cases.map((c) => c.digest))
})

const national = join(import.meta.dirname, '..', '..', '..', 'shared', 'vectors', 'kz', 'vectors.json')

test.skipIf(!existsSync(national))("digests agree with those of the national centre's own library", () => {
  const { hash: cases } = JSON.parse(readFileSync(national, 'utf8')) as { hash: Record<string, string>[] }
  for (const expected of cases) {
    const message = Buffer.from(expected['msgHex']!, 'hex')
    expect(hex(hash('gost-34.311', message))).toBe(expected['gost34311-95'])
    expect(hex(hash('streebog-256', message))).toBe(expected['gost3411-2015-256'])
    expect(hex(hash('streebog-512', message))).toBe(expected['gost3411-2015-512'])
  }
  expect(cases.length).toBeGreaterThan(10)
})

test.each(['sha-1', 'sha-256', 'sha-384', 'sha-512'] as const)(
  '%s agrees with Node at every length',
  (name) => {
    const message = Uint8Array.from({ length: 300 }, (_, i) => i * 7)
    for (let length = 0; length <= message.length; length++) {
      const part = message.subarray(0, length)
      expect(hex(hash(name, part))).toBe(nodeHash(name.replace('-', '')).update(part).digest('hex'))
    }
  },
)

test.each(hashNames)(
  '%s does not depend on how the message is split, nor on other streams at the same time',
  (name) => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }), (pieces) => {
        const one = createHash(name)
        const other = createHash(name)
        for (const piece of pieces) {
          one.update(piece)
          other.update(piece.toReversed())
        }
        const whole = Uint8Array.from(pieces.flatMap((piece) => [...piece]))
        expect(hex(one.digest())).toBe(hex(hash(name, whole)))
      }),
    )
  },
)

test('carries of the checksum run through all its words', () => {
  // every word of Σ overflows; the expected values are those of OpenSSL
  const ones = new Uint8Array(192).fill(0xff)
  expect(hex(hash('streebog-512', ones))).toBe(
    '55d8f76f0894bde0ec14c906f95be44ec9eac0ab5d05fb1a8aa92bee629b1dab9f1d2552e2d3a1aab9ce2c07941b06dbac5baff6ce461df2f7c60a8a763cc1e9',
  )
  expect(hex(hash('gost-34.11-94', ones))).toBe(
    'e09818cc578818cae55314776eabafec8c6eff4703a4835a0ff6a691ed76fb96',
  )
})

test('a message may be longer than the input area', () => {
  const long = new Uint8Array(200_001).fill(5)
  const stream = createHash('streebog-256')
  for (let i = 0; i < long.length; i += 1000) stream.update(long.subarray(i, i + 1000))
  expect(hex(stream.digest())).toBe(hex(hash('streebog-256', long)))
})

test('nothing can be added to a message that has ended', () => {
  const stream = createHash('sha-256')
  expect(stream.digest()).toHaveLength(digestLength('sha-256'))
  expect(() => stream.update(text('more'))).toThrow('This message has ended')
  expect(() => stream.digest()).toThrow('This message has ended')
})
