import { generateKeyPairSync, sign as nodeSign, constants, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodePoint, publicPoint, signGost } from '../signer/gost.ts'
import { hash } from './hash.ts'
import { verify, verifyDigest, type PublicKey, type SignatureAlgorithm } from './verify.ts'

const message = new TextEncoder().encode('Келісім')
const shas = ['sha-256', 'sha-384', 'sha-512'] as const

function rsaKey({ publicKey }: { publicKey: KeyObject }): PublicKey & { kind: 'rsa' } {
  const { n, e } = publicKey.export({ format: 'jwk' })
  const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))
  return { kind: 'rsa', modulus: bytes(n!), exponent: bytes(e!) }
}

function ecKey(
  { publicKey }: { publicKey: KeyObject },
  curve: 'p-256' | 'p-384',
): PublicKey & { kind: 'ec' } {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  return { kind: 'ec', curve, point: Uint8Array.from(point) }
}

function flipped(bytes: Uint8Array, at = bytes.length >> 1): Uint8Array {
  return bytes.map((byte, i) => (i === at ? byte ^ 1 : byte))
}

describe('RSA', () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = rsaKey(pair)

  test.each(shas)('PKCS#1 v1.5 with %s', async (name) => {
    const signature = nodeSign(name.replace('-', ''), message, pair.privateKey)
    const algorithm: SignatureAlgorithm = { kind: 'rsa-pkcs1', hash: name }
    expect(await verify(algorithm, key, message, signature)).toBe('valid')
    expect(await verify(algorithm, key, flipped(message), signature)).toBe('wrong-signature')
    expect(await verify(algorithm, key, message, flipped(signature))).toBe('wrong-signature')
    expect(await verify({ ...algorithm, kind: 'rsa-pss', saltLength: 32 }, key, message, signature)).toBe(
      'wrong-signature',
    )
  })

  test.each(shas)('PKCS#1 v1.5 over a digest of %s', (name) => {
    const signature = nodeSign(name.replace('-', ''), message, pair.privateKey)
    const algorithm: SignatureAlgorithm = { kind: 'rsa-pkcs1', hash: name }
    const digest = hash(name, message)
    expect(verifyDigest(algorithm, key, digest, signature)).toBe('valid')
    expect(verifyDigest(algorithm, key, flipped(digest), signature)).toBe('wrong-signature')
    expect(verifyDigest(algorithm, key, digest, flipped(signature))).toBe('wrong-signature')
    expect(verifyDigest(algorithm, key, digest.subarray(1), signature)).toBe('wrong-signature')
    expect(verifyDigest(algorithm, key, digest, new Uint8Array([0, ...signature]))).toBe('wrong-signature')
    expect(verifyDigest({ ...algorithm, hash: 'sha-1' }, key, digest, signature)).toBe('weak-algorithm')
    const short = { ...key, modulus: key.modulus.subarray(0, 128) }
    expect(verifyDigest(algorithm, short, digest, signature.subarray(0, 128))).toBe('bad-key')
  })

  test.each(shas)('PSS with %s', async (name) => {
    const saltLength = 32
    const padding = constants.RSA_PKCS1_PSS_PADDING
    const signature = nodeSign(name.replace('-', ''), message, { key: pair.privateKey, padding, saltLength })
    const algorithm: SignatureAlgorithm = { kind: 'rsa-pss', hash: name, saltLength }
    expect(await verify(algorithm, key, message, signature)).toBe('valid')
    expect(await verify({ ...algorithm, saltLength: 20 }, key, message, signature)).toBe('wrong-signature')
    expect(await verify(algorithm, key, message, flipped(signature))).toBe('wrong-signature')
    expect(await verify({ ...algorithm, saltLength: -1 }, key, message, signature)).toBe('wrong-signature')
  })

  test('SHA-1 is recognised and refused, even if the signature is right', async () => {
    const signature = nodeSign('sha1', message, pair.privateKey)
    expect(await verify({ kind: 'rsa-pkcs1', hash: 'sha-1' }, key, message, signature)).toBe('weak-algorithm')
    expect(await verify({ kind: 'ecdsa', hash: 'sha-1' }, key, message, signature)).toBe('weak-algorithm')
  })

  test('a leading zero of the modulus, as DER has it, changes nothing', async () => {
    const signature = nodeSign('sha256', message, pair.privateKey)
    const modulus = Uint8Array.from([0, ...key.modulus])
    const outcome = await verify(
      { kind: 'rsa-pkcs1', hash: 'sha-256' },
      { ...key, modulus },
      message,
      signature,
    )
    expect(outcome).toBe('valid')
  })

  test('a 4096-bit key is accepted, a 1024-bit one is not', { timeout: 60_000 }, async () => {
    const [long, short] = [4096, 1024].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }))
    const algorithm: SignatureAlgorithm = { kind: 'rsa-pkcs1', hash: 'sha-256' }
    const outcome = (pair: typeof long) =>
      verify(algorithm, rsaKey(pair!), message, nodeSign('sha256', message, pair!.privateKey))
    expect(await outcome(long)).toBe('valid')
    expect(await outcome(short)).toBe('bad-key')
  })

  test.each([
    ['an exponent of 1', { exponent: Uint8Array.of(1) }],
    ['an even exponent', { exponent: Uint8Array.of(1, 0, 0) }],
    ['no exponent', { exponent: new Uint8Array() }],
    ['a huge exponent', { exponent: new Uint8Array(200).fill(255) }],
    ['an even modulus', { modulus: new Uint8Array(256).fill(254) }],
    ['no modulus', { modulus: new Uint8Array() }],
    ['a modulus of 5000 bits', { modulus: new Uint8Array(625).fill(255) }],
  ])('%s makes a bad key', async (_, wrong) => {
    const algorithm: SignatureAlgorithm = { kind: 'rsa-pkcs1', hash: 'sha-256' }
    expect(await verify(algorithm, { ...key, ...wrong }, message, new Uint8Array(256))).toBe('bad-key')
  })
})

describe.each([
  ['p-256', 'prime256v1', 'sha-256'],
  ['p-384', 'secp384r1', 'sha-384'],
] as const)('ECDSA on %s', (curve, namedCurve, name) => {
  const pair = generateKeyPairSync('ec', { namedCurve })
  const key = ecKey(pair, curve)
  const algorithm: SignatureAlgorithm = { kind: 'ecdsa', hash: name }

  test('accepts what was signed and nothing else', async () => {
    for (let i = 0; i < 40; i++) {
      // many, so that short numbers and numbers with the top bit set both occur
      const signature = nodeSign(name.replace('-', ''), message, pair.privateKey)
      expect(await verify(algorithm, key, message, signature)).toBe('valid')
      expect(await verify(algorithm, key, message, flipped(signature, 20))).toBe('wrong-signature')
      expect(await verify(algorithm, key, flipped(message), signature)).toBe('wrong-signature')
    }
  })

  test('accepts DER only', async () => {
    const signature = nodeSign(name.replace('-', ''), message, pair.privateKey)
    const spoilt = [
      Uint8Array.from([...signature, 0]),
      signature.subarray(0, -1),
      Uint8Array.from([0x30, 0x81, ...signature.subarray(1)]),
      Uint8Array.from([0x30, signature[1]! + 1, 0x02, signature[3]! + 1, 0, ...signature.subarray(4)]),
      Uint8Array.of(0x30, 6, 2, 1, 0, 2, 1, 0),
      Uint8Array.of(0x30, 4, 2, 0, 2, 0),
      Uint8Array.of(0x30, 0),
      Uint8Array.of(0x30),
      new Uint8Array(),
    ]
    for (const bytes of spoilt) expect(await verify(algorithm, key, message, bytes)).toBe('wrong-signature')
  })

  test('a point off the curve, compressed or cut is a bad key', async () => {
    for (const point of [
      flipped(key.point, 40),
      key.point.subarray(1),
      key.point.subarray(0, 33),
      new Uint8Array(),
    ]) {
      expect(await verify(algorithm, { ...key, point }, message, new Uint8Array(70))).toBe('bad-key')
    }
  })
})

describe('GOST', () => {
  const secret = 0x1234567890abcdefn
  const key = (curve: 'cryptopro-a' | 'tc26-512-a'): PublicKey & { kind: 'gost' } => ({
    kind: 'gost',
    curve,
    point: encodePoint(curve, publicPoint(curve, secret)),
  })

  test.each([
    ['cryptopro-a', 'gost-34.311', 'kz'],
    ['cryptopro-a', 'gost-34.11-94', 'ru'],
    ['cryptopro-a', 'streebog-256', 'ru'],
    ['tc26-512-a', 'streebog-512', 'kz'],
    ['tc26-512-a', 'streebog-512', 'ru'],
  ] as const)('%s with %s in the order of %s', async (curve, name, wire) => {
    const algorithm = { kind: 'gost', hash: name, wire } as const
    const signature = signGost(curve, secret, hash(name, message), 987654321n, wire)!
    expect(await verify(algorithm, key(curve), message, signature)).toBe('valid')
    expect(verifyDigest(algorithm, key(curve), hash(name, message), signature)).toBe('valid')
    expect(await verify(algorithm, key(curve), flipped(message), signature)).toBe('wrong-signature')
    const other = { ...algorithm, wire: wire === 'kz' ? 'ru' : 'kz' } as const
    expect(await verify(other, key(curve), message, signature)).toBe('wrong-signature')
  })

  test('the hash must fit the key', async () => {
    const algorithm = { kind: 'gost', hash: 'streebog-256', wire: 'kz' } as const
    expect(await verify(algorithm, key('tc26-512-a'), message, new Uint8Array(128))).toBe('unfit-algorithm')
  })

  test('a point that is not on the curve is a bad key', async () => {
    const algorithm = { kind: 'gost', hash: 'streebog-512', wire: 'kz' } as const
    const wrong = { ...key('tc26-512-a'), point: new Uint8Array(128) }
    expect(await verify(algorithm, wrong, message, new Uint8Array(128))).toBe('bad-key')
  })
})

test('whatever the bytes are, the result is an outcome and never an exception', async () => {
  const bytes = fc.uint8Array({ maxLength: 300 })
  const algorithm: fc.Arbitrary<SignatureAlgorithm> = fc.oneof(
    fc.record({ kind: fc.constant('rsa-pkcs1' as const), hash: fc.constantFrom(...shas) }),
    fc.record({
      kind: fc.constant('rsa-pss' as const),
      hash: fc.constantFrom(...shas),
      saltLength: fc.integer(),
    }),
    fc.record({ kind: fc.constant('ecdsa' as const), hash: fc.constantFrom(...shas) }),
    fc.record({
      kind: fc.constant('gost' as const),
      hash: fc.constantFrom('streebog-256' as const, 'streebog-512' as const, 'gost-34.311' as const),
      wire: fc.constantFrom('kz' as const, 'ru' as const),
    }),
  )
  const key: fc.Arbitrary<PublicKey> = fc.oneof(
    fc.record({
      kind: fc.constant('rsa' as const),
      modulus: bytes,
      exponent: fc.uint8Array({ maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant('ec' as const),
      curve: fc.constantFrom('p-256' as const, 'p-384' as const),
      point: bytes,
    }),
    fc.record({
      kind: fc.constant('gost' as const),
      curve: fc.constantFrom('cryptopro-a' as const, 'tc26-512-a' as const),
      point: fc.uint8Array({ minLength: 64, maxLength: 128 }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(algorithm, key, bytes, bytes, async (algorithm, key, message, signature) => {
      expect(await verify(algorithm, key, message, signature)).not.toBe('valid')
    }),
    { numRuns: 500 },
  )
})
